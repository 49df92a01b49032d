import { describe, expect, test } from 'vitest';
import {
  create,
  type DreamCase,
  dreamt,
  explained,
  judge,
  known,
  quote,
  relist,
  remove,
  superseded,
  update,
  verdicts,
} from '../../../test/support/dream-cases.ts';
import type { MemorySource } from '../../base/taxonomy.ts';

/** Other memories in the folder, so that some words are rare in it. */
const OTHERS = [
  known('user_role.md', 'The user is a backend engineer who has written Go for ten years.'),
  known('reference_grafana.md', 'Latency is watched on the Grafana board grafana.internal/d/api-latency.'),
  known(
    'feedback_terse.md',
    'Answers are short, without a summary at the end.\n\n**Why:** The user reads the diff.\n\n**How to apply:** Every answer.',
  ),
  known(
    'project_billing.md',
    'Billing moves to Stripe because the old provider closes in autumn.\n\n**Why:** The contract ends.\n\n**How to apply:** No new code for the old provider.',
  ),
];

const NO_MOCKS = known(
  'feedback_no-mocks.md',
  'Integration tests hit a real database, not mocks.\n\n**Why:** Mocked tests passed while the production migration failed.\n\n**How to apply:** Tests of the storage layer.',
);
const REAL_DATABASE = known(
  'feedback_real-database.md',
  'Tests of the storage layer use Postgres 16 in a container, never SQLite.\n\n**Why:** SQLite accepts queries that Postgres refuses.\n\n**How to apply:** Tests of the storage layer.',
);
const MERGED_BODY =
  'Integration tests of the storage layer hit a real database, Postgres 16 in a container; no mocks and never SQLite.\n\n**Why:** Mocked tests passed while the production migration failed, and SQLite accepts queries that Postgres refuses.\n\n**How to apply:** Tests of the storage layer.';

function merge(source: MemorySource): DreamCase {
  const told = { source };
  const one = known(NO_MOCKS.file, NO_MOCKS.body, told);
  const other = known(REAL_DATABASE.file, REAL_DATABASE.body, told);
  return {
    base: [...OTHERS, one, other],
    proposals: [
      update(one.file, dreamt(one.file, MERGED_BODY, told), [quote(other.file, 'Postgres 16 in a container')]),
      remove(other.file, [one.file], [quote(one.file, 'hit a real database')]),
    ],
  };
}

const THURSDAY = known(
  'project_freeze.md',
  'Non-critical merges are frozen after next Thursday.\n\n**Why:** The mobile team cuts a release branch.\n\n**How to apply:** Hold back refactors.',
  { modified: '2026-05-04T09:00:00.000Z' },
);
const DEPLOY = known(
  'project_deploys.md',
  'Deploys go through the release train on Tuesdays because the on-call rota is full then.\nThe checklist is in tools/deploy-gone/README.md.\nRollbacks are asked for in the channel #ops-bridge.\n\n**Why:** An outage on a Friday.\n\n**How to apply:** Plan work for Tuesdays.',
);
const CORRECTED = 'Deploys go through the release train on Tuesdays because the on-call rota is full then.';
const ROLLBACKS = known(
  'project_rollbacks.md',
  'Rollbacks need the approval of the duty officer since the audit.\n\n**Why:** The auditors asked for it.\n\n**How to apply:** Name the duty officer.',
);

describe('honest work lands', () => {
  const table: readonly (readonly [string, DreamCase])[] = [
    ['two memories of what the user said become one', merge('said')],
    ['two imported ones', merge('imported')],
    ['two inferred ones', merge('inferred')],
    [
      'a new memory in place of two',
      {
        base: [...OTHERS, NO_MOCKS, REAL_DATABASE],
        proposals: [
          create('feedback_storage-tests.md', dreamt('feedback_storage-tests.md', MERGED_BODY), [
            quote(NO_MOCKS.file, 'not mocks'),
          ]),
          remove(NO_MOCKS.file, ['feedback_storage-tests.md'], [quote(REAL_DATABASE.file, 'never SQLite')]),
          remove(REAL_DATABASE.file, ['feedback_storage-tests.md'], [quote(NO_MOCKS.file, 'not mocks')]),
        ],
      },
    ],
    [
      'a copy goes where another says the same',
      {
        base: [
          ...OTHERS,
          NO_MOCKS,
          known('feedback_mocks.md', 'Integration tests hit a real database and no mocks.', { source: 'inferred' }),
        ],
        proposals: [
          remove('feedback_mocks.md', [NO_MOCKS.file], [quote(NO_MOCKS.file, 'hit a real database, not mocks')]),
        ],
      },
    ],
    [
      'a relative date becomes the day it meant',
      {
        base: [...OTHERS, THURSDAY],
        proposals: [
          update(THURSDAY.file, dreamt(THURSDAY.file, THURSDAY.body.replace('next Thursday', '2026-05-07')), [
            quote(THURSDAY.file, 'after next Thursday'),
          ]),
        ],
      },
    ],
    [
      'a path that is gone is taken out',
      {
        base: [...OTHERS, DEPLOY],
        elsewhere: { 'tools/deploy-gone/README.md': { from: 'file', text: 'tools/deploy-gone/README.md' } },
        proposals: [
          update(
            DEPLOY.file,
            dreamt(DEPLOY.file, DEPLOY.body.replace(/The checklist.*\n/, '')),
            [quote('tools/deploy-gone/README.md', 'tools/deploy-gone/README.md')],
            {
              drops: [
                {
                  quote: 'The checklist is in tools/deploy-gone/README.md.',
                  because: 'gone',
                  path: 'tools/deploy-gone/README.md',
                },
              ],
            },
          ),
        ],
      },
    ],
    [
      'a description is shortened',
      {
        base: [
          ...OTHERS,
          known(DEPLOY.file, DEPLOY.body, {
            description:
              'Deploys go through the release train on Tuesdays because the on-call rota is full then, and rollbacks are asked for in #ops-bridge',
          }),
        ],
        proposals: [
          update(DEPLOY.file, dreamt(DEPLOY.file, DEPLOY.body, { description: 'Deploys: release train on Tuesdays' }), [
            quote(DEPLOY.file, 'release train on Tuesdays'),
          ]),
        ],
      },
    ],
    [
      'a paragraph moves into another memory',
      {
        base: [...OTHERS, DEPLOY, ROLLBACKS],
        proposals: [
          update(
            DEPLOY.file,
            dreamt(DEPLOY.file, DEPLOY.body.replace(/Rollbacks.*\n/, '')),
            [quote(ROLLBACKS.file, 'Rollbacks need')],
            { into: [ROLLBACKS.file] },
          ),
          update(
            ROLLBACKS.file,
            dreamt(
              ROLLBACKS.file,
              ROLLBACKS.body.replace('\n\n', '\nRollbacks are asked for in the channel #ops-bridge.\n\n'),
            ),
            [quote(DEPLOY.file, 'Rollbacks are asked for in the channel #ops-bridge.')],
          ),
        ],
      },
    ],
    [
      'what the user said in a session corrects a memory',
      {
        base: [...OTHERS, DEPLOY],
        elsewhere: {
          s1: {
            from: 'user',
            text: 'The release train leaves on Wednesdays now, no longer on Tuesdays.',
            at: '2026-05-30',
          },
        },
        proposals: [
          update(
            DEPLOY.file,
            dreamt(DEPLOY.file, DEPLOY.body.replaceAll('Tuesdays', 'Wednesdays')),
            [quote('s1', 'The release train leaves on Wednesdays now')],
            { drops: [superseded(CORRECTED, DEPLOY.file, CORRECTED.replace('Tuesdays', 'Wednesdays'))] },
          ),
        ],
      },
    ],
    [
      'what the user said in a session becomes a memory',
      {
        base: OTHERS,
        elsewhere: {
          s1: {
            from: 'user',
            text: 'Please keep the changelog in British English, our customers are in Leeds.',
            at: '2026-05-30',
          },
        },
        proposals: [
          create(
            'feedback_british-english.md',
            dreamt(
              'feedback_british-english.md',
              'The changelog is kept in British English.\n\n**Why:** The customers are in Leeds.\n\n**How to apply:** Every entry.',
            ),
            [quote('s1', 'keep the changelog in British English')],
          ),
        ],
      },
    ],
    [
      'a memory that was only seen is shortened and stays so',
      {
        base: [
          ...OTHERS,
          known(
            'reference_status.md',
            'The status page of the vendor is status.acme.test/eu and lists maintenance windows on Mondays at noon.',
            { source: 'seen' },
          ),
        ],
        proposals: [
          update(
            'reference_status.md',
            dreamt(
              'reference_status.md',
              'The status page of the vendor, with maintenance windows on Mondays at noon, is status.acme.test/eu.',
              { source: 'seen' },
            ),
            [quote('reference_status.md', 'The status page of the vendor')],
          ),
        ],
      },
    ],
    [
      'lines of the index come and go',
      {
        base: [
          ...OTHERS,
          known('reference_old.md', 'The wiki of 2019 is wiki.old.test/home.'),
          known('reference_new.md', 'The wiki is wiki.new.test/home.', { isListed: false }),
        ],
        proposals: [
          relist('unlist', 'reference_old.md', [quote('reference_new.md', 'wiki.new.test/home')]),
          relist('list', 'reference_new.md', [quote('reference_new.md', 'The wiki is')]),
        ],
      },
    ],
    [
      'German memories become one',
      {
        base: [
          ...OTHERS,
          known(
            'feedback_reviews.md',
            'Code-Reviews machen wir zu zweit am Bildschirm.\n\n**Why:** Das hat sich nach dem Ausfall im Mai bewährt.\n\n**How to apply:** Termine vorschlagen.',
          ),
          known(
            'feedback_kommentare.md',
            'Keine langen Kommentarlisten in Code-Reviews.\n\n**Why:** Niemand liest sie.\n\n**How to apply:** Bei jedem Review.',
          ),
        ],
        proposals: [
          update(
            'feedback_reviews.md',
            dreamt(
              'feedback_reviews.md',
              'Code-Reviews machen wir zu zweit am Bildschirm, ohne lange Kommentarlisten.\n\n**Why:** Das hat sich nach dem Ausfall im Mai bewährt; lange Kommentarlisten liest niemand.\n\n**How to apply:** Bei jedem Review Termine vorschlagen.',
            ),
            [quote('feedback_kommentare.md', 'Keine langen Kommentarlisten')],
          ),
          remove(
            'feedback_kommentare.md',
            ['feedback_reviews.md'],
            [quote('feedback_reviews.md', 'zu zweit am Bildschirm')],
          ),
        ],
      },
    ],
    [
      'Chinese memories become one',
      {
        base: [
          ...OTHERS,
          known('feedback_语言.md', '用简体中文回答问题。'),
          known('feedback_注释.md', '代码注释保留英文。'),
        ],
        proposals: [
          update('feedback_语言.md', dreamt('feedback_语言.md', '用简体中文回答问题，代码注释保留英文。'), [
            quote('feedback_注释.md', '代码注释保留英文'),
          ]),
          remove('feedback_注释.md', ['feedback_语言.md'], [quote('feedback_语言.md', '用简体中文回答')]),
        ],
      },
    ],
    [
      'a long paragraph on one line, a quotation and a question are the memory’s own text',
      {
        base: [
          ...OTHERS,
          known(
            'project_history.md',
            `${'The archive of the harbour office holds ledgers from the years of the great dredging works. '.repeat(14).trim()}\n\n> Who asks for ledgers? The customs broker Ilse does.\n\nThe README says that ledgers are lent for a week.`,
          ),
          known('project_ledgers.md', 'Ledgers are scanned by the customs broker Ilse.'),
        ],
        proposals: [
          update(
            'project_history.md',
            dreamt(
              'project_history.md',
              'The archive of the harbour office holds ledgers from the years of the great dredging works.\nWho asks for ledgers? The customs broker Ilse does, and scans them.\nThe README says that ledgers are lent for a week.',
            ),
            [quote('project_ledgers.md', 'scanned by the customs broker Ilse')],
          ),
          remove(
            'project_ledgers.md',
            ['project_history.md'],
            [quote('project_history.md', 'The customs broker Ilse does')],
          ),
        ],
      },
    ],
  ];
  test.each(table)('%s', (_title, dream) => {
    expect(verdicts(judge(explained(dream)))).toEqual(dream.proposals.map(() => 'land'));
  });
});
