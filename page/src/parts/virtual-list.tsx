/** A list of any length that draws only the rows in view; one row is chosen, by mouse or with the arrow keys. */

import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

const SPARE_ROWS = 6;

export function VirtualList<Item>(props: {
  readonly items: readonly Item[];
  readonly rowHeight: number;
  readonly label: string;
  readonly id: string;
  readonly keyOf: (item: Item) => string;
  readonly render: (item: Item, index: number) => ComponentChildren;
  readonly chosen: string | null;
  readonly onChoose: (item: Item) => void;
  /** Enter on the chosen row. */
  readonly onOpen?: (item: Item) => void;
  readonly isGrowing?: boolean;
}) {
  const { items, rowHeight, keyOf, chosen, onChoose, id } = props;
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(600);
  const at = chosen === null ? -1 : items.findIndex((item) => keyOf(item) === chosen);

  useLayoutEffect(() => {
    const element = box.current!;
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    const element = box.current!;
    if (at < 0) return;
    if (at * rowHeight < element.scrollTop) element.scrollTop = at * rowHeight;
    else if ((at + 1) * rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = (at + 1) * rowHeight - element.clientHeight;
  }, [at, rowHeight]);

  function onKeyDown(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(height / rowHeight) - 1);
    const moves: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: items.length - 1,
    };
    if (event.key === 'Enter' && at >= 0 && props.onOpen) {
      event.preventDefault();
      props.onOpen(items[at]!);
      return;
    }
    const wanted = moves[event.key];
    if (wanted === undefined || items.length === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    onChoose(items[Math.min(items.length - 1, Math.max(0, wanted))]!);
  }

  const first = Math.max(0, Math.floor(top / rowHeight) - SPARE_ROWS);
  const last = Math.min(items.length, Math.ceil((top + height) / rowHeight) + SPARE_ROWS);
  const isShown = at >= first && at < last;
  return (
    <div
      ref={box}
      class="list"
      role="listbox"
      tabIndex={0}
      aria-label={props.label}
      aria-activedescendant={isShown ? `${id}-${at}` : undefined}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      onKeyDown={onKeyDown}
    >
      <div class="list-space" role="presentation" style={{ height: `${items.length * rowHeight}px` }}>
        {items.slice(first, last).map((item, offset) => {
          const index = first + offset;
          return (
            <div
              key={keyOf(item)}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              aria-setsize={items.length}
              aria-posinset={index + 1}
              class="row"
              style={{ transform: `translateY(${index * rowHeight}px)`, height: `${rowHeight}px` }}
              onClick={() => {
                onChoose(item);
                props.onOpen?.(item);
              }}
            >
              {props.render(item, index)}
            </div>
          );
        })}
      </div>
    </div>
  );
}
