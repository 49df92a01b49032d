/** Puts a memory into the repository for the team, or takes it out again; only where the repository has team memory. */

import { useShell } from '../shell.tsx';
import { useAnswer } from '../use-answer.ts';

interface SharedAnswer {
  readonly shared: readonly { readonly id: string; readonly scope: string; readonly file: string }[];
}

export function ShareButton({ named }: { named: { readonly scope: string; readonly file: string } }) {
  const { act, start } = useShell();
  const isOffered = start.hasTeam && named.scope !== 'team';
  const { data, again } = useAnswer<SharedAnswer>(isOffered ? 'shared' : null);
  if (!isOffered) return null;
  const known = data?.shared.findLast(({ scope, file }) => scope === named.scope && file === named.file);
  const share = () =>
    act<{ path: string; isKnown: boolean }>('share', named, ({ path, isKnown }) => ({
      text: isKnown ? `The team has it already: ${path}` : `Shared as ${path}. To commit it: git add ${path}`,
      changes: [],
    })).then(again);
  const unshare = () =>
    act<{ path: string }>('unshare', { id: known!.id }, () => ({
      text: 'The team does not see it any more.',
      changes: [],
    })).then(again);
  return (
    <>
      <button type="button" onClick={() => void share()}>
        {known === undefined ? 'Share with the team' : 'Share again'}
      </button>
      {known !== undefined && (
        <button type="button" onClick={() => void unshare()}>
          Unshare
        </button>
      )}
    </>
  );
}
