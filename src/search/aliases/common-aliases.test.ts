import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { packagedEncoder } from '../../model/encoder/encoder.ts';
import { openLocalIndex } from '../local-index.ts';
import { commonAliasesIn } from './common-aliases.ts';

it.each([
  ['The cluster runs on Kubernetes.', 'k8s'],
  ['GHA builds every branch', 'github actions'],
  ['GitHub Actions builds every branch', 'gha'],
  ['screen readers: a11y first', 'accessibility'],
])('knows what else is called by a name in: %s', (text, alias) => {
  expect(commonAliasesIn(text)).toContain(alias);
});

it('finds none in part of a word or half of a name', () => {
  expect(commonAliasesIn('The upgrade of github went well, and the actions of jsdom too.')).toEqual([]);
});

describe('a memory', () => {
  const bodies = {
    'cluster.md': 'The Kubernetes upgrade waits for the new nodes.',
    'ci.md': 'GitHub Actions builds only tagged commits.',
    'tea.md': 'The tea is in the kitchen.',
  };

  it.each([
    ['why does k8s wait?', 'cluster.md'],
    ['what does gha build?', 'ci.md'],
  ])('is found by a common short name: %s', async (ask, key) => {
    const index = openLocalIndex({ directory: temporaryFolder('aliases'), encoder: packagedEncoder });
    await index.update(
      Object.entries(bodies).map(([file, body]) => ({
        key: file,
        hash: file,
        read: () => ({ key: file, hash: file, name: file, description: body, body }),
      })),
    );
    const [hit] = index.search(ask, { limit: 1 });
    expect(hit).toMatchObject({ key, certain: true });
  });
});
