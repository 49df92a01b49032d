/** Small parts that every screen uses: problems, empty states, texts, copies, tables of numbers. */

import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Problem } from '../answers.ts';
import { count, visible } from '../words.ts';

export function ProblemNote({ problem, again }: { problem: Problem; again?: () => void }) {
  return (
    <div class="problem" role="alert">
      <p>
        <strong>{problem.message}</strong>
      </p>
      {problem.fix !== '' && <p>{problem.fix}</p>}
      {again && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  );
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** Always a text, whatever is in it. */
export function Text({ text, cut = 0, label }: { text: string; cut?: number; label: string }) {
  return (
    <>
      <pre class="text" tabIndex={0} role="group" aria-label={label}>
        {visible(text)}
      </pre>
      {cut > 0 && <p class="dim">{count(cut)} more characters are not shown.</p>}
    </>
  );
}

export function Copied({ text, label }: { text: string; label: string }) {
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDone(false), 1_500);
    return () => clearTimeout(timer);
  }, [isDone]);
  return (
    <span class="copied">
      <code>{text}</code>
      <button
        type="button"
        class="quiet"
        aria-label={`Copy ${label}`}
        onClick={() => void navigator.clipboard.writeText(text).then(() => setDone(true))}
      >
        {isDone ? 'Copied' : 'Copy'}
      </button>
    </span>
  );
}

export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div class="fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

export function Choice(props: {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [string, string])[];
  readonly onChange: (value: string) => void;
}) {
  return (
    <label class="choice">
      <span aria-hidden="true">{props.label}</span>
      <select
        aria-label={props.label}
        value={props.value}
        onChange={(event) => props.onChange(event.currentTarget.value)}
      >
        {props.options.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A share of something as a bar; the number stands beside it. */
export function Bar({ share, look = '' }: { share: number; look?: string }) {
  const width = `${Math.max(0, Math.min(100, share * 100))}%`;
  return (
    <span class="bar" aria-hidden="true">
      <span class={look} style={{ width }} />
    </span>
  );
}

/** A table that scrolls sideways by itself, never the page. */
export function Scroll({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      {children}
    </div>
  );
}
