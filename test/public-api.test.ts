/** What the package offers, by name: a name that comes or goes does so on purpose. */

import { describe, expect, it } from 'vitest';
import * as api from '../src/index.ts';

describe('the package', () => {
  it('exports these names', () => {
    expect(Object.keys(api).sort()).toEqual([
      'ReverieError',
      'aiSdkModel',
      'anthropicModel',
      'checkCommand',
      'checkInside',
      'checkMemoryRoot',
      'checkWrite',
      'createSession',
      'exportMemories',
      'importMemories',
      'memoryTool',
      'openAgent',
      'openMailbox',
      'openMemory',
      'reverieMiddleware',
      'scriptedModel',
    ]);
  });
});
