/** What runs right now is no memory; what goes on for months, or how to treat what runs, may be one. */

import { describe, expect, it } from 'vitest';
import { assistant, bash, memory, user } from '../../../test/support/gate-cases.ts';
import { checkWrite } from './index.ts';
import { isTaskState } from './task-state.ts';

describe('what runs right now', () => {
  it.each([
    'CI build #812 is still in progress; waiting for it to finish.',
    'The pipeline is red right now.',
    'The deploy to staging is still running at the moment.',
    'The import job is at 43% and still going.',
    'Waiting for the nightly backup to complete.',
    'The server is down right now.',
    'Der Build läuft gerade noch.',
    'El despliegue sigue en curso.',
    'La compilation est en cours en ce moment.',
    '构建正在运行中。',
    'ビルドは現在実行中です。',
  ])('is refused: %s', (text) => {
    const span = [user(text), assistant('OK.')];
    expect(checkWrite({ span, existing: [], proposed: memory('project', text) })).toMatchObject({
      verdict: 'reject',
      reason: 'ephemeral',
    });
  });

  it('is refused when a tool has said it', () => {
    const span = [user('how is it going?'), bash('training epoch 3/20 loss 0.4'), assistant('At three of twenty.')];
    const proposed = memory('project', 'The training run is at epoch 3 of 20 and still running.');
    expect(checkWrite({ span, existing: [], proposed })).toMatchObject({ verdict: 'reject', reason: 'ephemeral' });
  });

  it.each([
    'The migration to Postgres is still in progress until September 2026; write to both databases.',
    'Marta is on leave at the moment; Luis decides on billing.',
    'The old servers are still running Node 18 because the vendor has not certified 20.',
    'The nightly backup runs at 02:00 and takes three hours.',
    'Builds on main stay red until the licence server moves on 2026-05-01.',
    'Customers wait for the export to finish and complain, so it must show progress.',
    'The office is closed for renovation right now.',
    'At the moment the partner allows three calls a minute.',
    'Always wait for the pipeline to finish before tagging.',
  ])('is not this: %s', (text) => {
    expect(isTaskState(text)).toBe(false);
  });
});
