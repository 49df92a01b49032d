import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MEMORY_SCOPES } from '../base/taxonomy.ts';
import { indexUri, memoryUri, parseResourceUri } from './resource-uri.ts';

describe('the address of a resource', () => {
  it('names the file it was made from, whatever the file is called', () => {
    const part = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/[/\\\0]/.test(text));
    const files = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
    fc.assert(
      fc.property(files, fc.constantFrom(...MEMORY_SCOPES), (file, scope) => {
        expect(parseResourceUri(memoryUri(scope, file))).toEqual({ kind: 'memory', scope, file });
      }),
    );
  });

  it('names the index of a scope', () => {
    expect(parseResourceUri(indexUri('global'))).toEqual({ kind: 'index', scope: 'global' });
  });

  it.each([
    'reverie://memory/project',
    'reverie://memory/project/',
    'reverie://memory/others/a.md',
    'reverie://index/project/a.md',
    'reverie://index/',
    'reverie://memory/project/a%2Fb.md',
    'reverie://memory/project/%00.md',
    'reverie://memory/project/%zz.md',
    'reverie://memory/project/a.md?x',
    'file:///etc/passwd',
    'xreverie://index/project',
    '',
  ])('%j is none of ours', (uri) => {
    expect(parseResourceUri(uri)).toBeNull();
  });
});
