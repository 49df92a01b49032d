/** Agents of a session; none run yet, and the screen says so. */

import { Empty } from '../parts/bits.tsx';

export function AgentsScreen(_: { path: readonly string[] }) {
  return (
    <section class="single">
      <p class="title" aria-hidden="true">
        Agents
      </p>
      <Empty title="No agents have run here">
        <p>
          When a session starts agents of its own, this screen shows who works for whom and what they tell each other.
        </p>
      </Empty>
    </section>
  );
}
