/** A canvas that fills its box: its size, and a pen for it. */

import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

export interface CanvasSize {
  readonly width: number;
  readonly height: number;
}

export interface CanvasPen {
  readonly pen: CanvasRenderingContext2D;
  /** A colour of the style sheet, such as `--c1`. */
  colour(name: string): string;
}

/** `theme` changes with the colour scheme: whatever was drawn is drawn again then. */
export function useCanvas(start: CanvasSize): {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly canvas: RefObject<HTMLCanvasElement | null>;
  readonly size: CanvasSize;
  readonly theme: number;
  /** An empty canvas of this size, in pixels of the page. */
  open(size: CanvasSize): CanvasPen;
} {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState(start);
  const [theme, setTheme] = useState(0);

  useLayoutEffect(() => {
    const element = box.current!;
    const observer = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }));
    observer.observe(element);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const hear = () => setTheme((times) => times + 1);
    scheme.addEventListener('change', hear);
    return () => {
      observer.disconnect();
      scheme.removeEventListener('change', hear);
    };
  }, []);

  function open({ width, height }: CanvasSize): CanvasPen {
    const element = canvas.current!;
    const scale = devicePixelRatio || 1;
    element.width = width * scale;
    element.height = height * scale;
    const pen = element.getContext('2d')!;
    pen.scale(scale, scale);
    const style = getComputedStyle(document.documentElement);
    return { pen, colour: (name) => style.getPropertyValue(name).trim() };
  }

  return { box, canvas, size, theme, open };
}
