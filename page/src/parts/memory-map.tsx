/** Memories as dots in named groups, near each other where their meanings are; a group is chosen by mouse or with the arrow keys. */

import { useEffect } from 'preact/hooks';
import { useCanvas } from '../use-canvas.ts';
import { counted, visible } from '../words.ts';

export interface MapGroup {
  readonly label: string;
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  /** `scope:file`, the most typical first. */
  readonly members: readonly string[];
}

const HUES = ['--c6', '--c4', '--c5', '--c9', '--c10', '--r1', '--c2', '--c7', '--r3', '--c1'];
/** Each dot turns on by this much: no two are in a line, and all have the same room. */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));
const EDGE_PX = 14;
const NEAR_PX = 8;

interface View {
  readonly scale: number;
  readonly left: number;
  readonly top: number;
}

export function MemoryMap(props: {
  readonly groups: readonly MapGroup[];
  readonly chosen: number;
  /** Keys that a search has found; null without a search. */
  readonly found: ReadonlySet<string> | null;
  readonly onChoose: (group: number) => void;
  readonly onOpen: (key: string) => void;
  readonly onPoint: (key: string | null) => void;
}) {
  const { groups, chosen, found, onChoose } = props;
  const { box, canvas, size, theme, open } = useCanvas({ width: 600, height: 400 });
  const view = viewOf(groups, size);

  useEffect(() => {
    const { pen, colour } = open(size);
    draw(pen, { groups, chosen, found, view, size, colour });
  }, [groups, chosen, found, size, theme]);

  function onKeyDown(event: KeyboardEvent): void {
    const way = WAYS[event.key];
    if (way === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    onChoose(chosen < 0 ? 0 : neighbour(groups, chosen, way));
  }

  /** The group that is pointed at, and its nearest dot. */
  function pointed({ clientX, clientY }: MouseEvent): { group: number; key: string | null } {
    const bounds = canvas.current!.getBoundingClientRect();
    const [x, y] = [clientX - bounds.left, clientY - bounds.top];
    const group = groups.findIndex((each) => {
      const [cx, cy] = placeOf(each, view);
      return Math.hypot(x - cx, y - cy) <= each.radius * view.scale + 2;
    });
    if (group < 0) return { group, key: null };
    let [key, nearest]: [string | null, number] = [null, NEAR_PX];
    for (const [at, member] of groups[group]!.members.entries()) {
      const [dx, dy] = dotOf(groups[group]!, at, view);
      const distance = Math.hypot(x - dx, y - dy);
      if (distance >= nearest) continue;
      [key, nearest] = [member, distance];
    }
    return { group, key };
  }

  const group = groups[chosen];
  return (
    <div
      ref={box}
      class="map"
      role="slider"
      tabIndex={0}
      aria-label="Groups of memories"
      aria-valuemin={1}
      aria-valuemax={Math.max(1, groups.length)}
      aria-valuenow={Math.max(1, chosen + 1)}
      aria-valuetext={
        group === undefined
          ? `${counted(groups.length, 'group')}, none chosen`
          : `${group.label}: ${counted(group.members.length, 'memory', 'memories')}`
      }
      onKeyDown={onKeyDown}
      onMouseMove={(event) => props.onPoint(pointed(event).key)}
      onMouseLeave={() => props.onPoint(null)}
      onClick={(event) => {
        const at = pointed(event);
        if (at.group < 0) return;
        onChoose(at.group);
        if (at.key !== null && at.group === chosen) props.onOpen(at.key);
      }}
    >
      <canvas ref={canvas} style={{ width: `${size.width}px`, height: `${size.height}px` }} />
    </div>
  );
}

const WAYS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
};

/** The nearest group in that direction; where there is none, the same. */
function neighbour(groups: readonly MapGroup[], from: number, [wx, wy]: readonly [number, number]): number {
  let [best, least] = [from, Number.POSITIVE_INFINITY];
  for (const [at, { x, y }] of groups.entries()) {
    const [dx, dy] = [x - groups[from]!.x, y - groups[from]!.y];
    const along = dx * wx + dy * wy;
    const aside = Math.abs(dx * wy) + Math.abs(dy * wx);
    if (at === from || along <= 0 || along + aside * 2 >= least) continue;
    [best, least] = [at, along + aside * 2];
  }
  return best;
}

function viewOf(groups: readonly MapGroup[], { width, height }: { width: number; height: number }): View {
  const edges = (of: (group: MapGroup) => number, sign: number) =>
    groups.map((group) => of(group) + sign * group.radius);
  const [left, right] = [Math.min(...edges(({ x }) => x, -1)), Math.max(...edges(({ x }) => x, 1))];
  const [top, bottom] = [Math.min(...edges(({ y }) => y, -1)), Math.max(...edges(({ y }) => y, 1))];
  if (groups.length === 0) return { scale: 1, left: 0, top: 0 };
  const scale = Math.min((width - EDGE_PX * 2) / (right - left), (height - EDGE_PX * 2) / (bottom - top));
  return {
    scale,
    left: (width - (right - left) * scale) / 2 - left * scale,
    top: (height - (bottom - top) * scale) / 2 - top * scale,
  };
}

function placeOf({ x, y }: { x: number; y: number }, { scale, left, top }: View): readonly [number, number] {
  return [left + x * scale, top + y * scale];
}

function dotOf(group: MapGroup, at: number, view: View): readonly [number, number] {
  const distance = group.radius * 0.94 * Math.sqrt((at + 0.5) / group.members.length);
  const angle = at * GOLDEN_ANGLE;
  return placeOf({ x: group.x + distance * Math.cos(angle), y: group.y + distance * Math.sin(angle) }, view);
}

interface Drawing {
  readonly groups: readonly MapGroup[];
  readonly chosen: number;
  readonly found: ReadonlySet<string> | null;
  readonly view: View;
  readonly size: { readonly width: number; readonly height: number };
  readonly colour: (name: string) => string;
}

function draw(pen: CanvasRenderingContext2D, { groups, chosen, found, view, size, colour }: Drawing): void {
  pen.clearRect(0, 0, size.width, size.height);
  const dot = Math.max(1, Math.min(4, view.scale * 0.7));
  for (const [at, group] of groups.entries()) {
    const [x, y] = placeOf(group, view);
    pen.globalAlpha = at === chosen ? 0.3 : 0.12;
    pen.fillStyle = colour(HUES[at % HUES.length]!);
    pen.beginPath();
    pen.arc(x, y, group.radius * view.scale, 0, Math.PI * 2);
    pen.fill();
    pen.globalAlpha = 1;
    for (const [member, key] of group.members.entries()) {
      const [dx, dy] = dotOf(group, member, view);
      pen.globalAlpha = found === null ? 0.75 : found.has(key) ? 1 : 0.12;
      pen.fillRect(dx - dot / 2, dy - dot / 2, dot, dot);
    }
    pen.globalAlpha = 1;
  }
  drawLabels(pen, { groups, chosen, view, size, colour });
}

/** The largest first; one that would cover another is left to the list beside. */
function drawLabels(pen: CanvasRenderingContext2D, drawing: Omit<Drawing, 'found'>): void {
  const { groups, chosen, view, size, colour } = drawing;
  const taken: { x: number; y: number; half: number }[] = [];
  const order = groups
    .map((_, at) => at)
    .sort(
      (one, other) => Number(other === chosen) - Number(one === chosen) || groups[other]!.radius - groups[one]!.radius,
    );
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  pen.lineWidth = 4;
  pen.lineJoin = 'round';
  for (const at of order) {
    pen.font = `${at === chosen ? '600 ' : ''}12px system-ui, sans-serif`;
    const text = visible(groups[at]!.label);
    const half = pen.measureText(text).width / 2 + 4;
    const [cx, y] = placeOf(groups[at]!, view);
    const x = Math.max(half, Math.min(size.width - half, cx));
    if (taken.some((other) => Math.abs(other.y - y) < 15 && Math.abs(other.x - x) < other.half + half)) continue;
    taken.push({ x, y, half });
    pen.strokeStyle = colour('--back');
    pen.strokeText(text, x, y);
    pen.fillStyle = colour('--text');
    pen.fillText(text, x, y);
  }
}
