import { describe } from 'vitest';
import { assistant, memory, testCases, user } from '../../../test/support/gate-cases.ts';

describe('corrections, dates and duplicates', () => {
  testCases([
    {
      title: 'flip order: Chinese: the order of the two is swapped',
      span: [user('我改主意了，部署用测试环境的配置，不用生产环境的配置。'), assistant('好的，改成测试环境的配置。')],
      existing: [
        {
          file: 'feedback_deploy-config.md',
          type: 'feedback',
          name: '部署配置',
          description: '部署用生产配置',
          body: '部署用生产环境的配置，不用测试环境的配置。',
        },
      ],
      write: memory('feedback', '部署用测试环境的配置，不用生产环境的配置。', {
        name: '部署配置',
        description: '部署用测试配置',
        file: 'feedback_deploy-config.md',
      }),
      verdict: 'accept',
      reason: 'contradiction-update',
    },
    {
      title: 'flip sign: C and C++ are equal only if punctuation is thrown away',
      span: [
        user('We decided to write the new firmware in C++ after all, the vendor finally ships a decent compiler.'),
        assistant("Then I'll use C++17."),
      ],
      existing: [
        {
          file: 'project_firmware-language.md',
          type: 'project',
          name: 'Firmware language',
          description: 'New firmware in C',
          body: 'The new firmware is written in C.',
        },
      ],
      write: memory('project', 'The new firmware is written in C++.', {
        name: 'Firmware language',
        description: 'New firmware in C++',
        file: 'project_firmware-language.md',
      }),
      verdict: 'accept',
      reason: 'contradiction-update',
    },
    {
      title: 'flip operator: Only a comparison sign differs; a normaliser that strips signs would call them equal',
      span: [
        user('Correction: the plugin host needs Node <= 20, not >= 20. It crashes on anything newer.'),
        assistant('Pinned.'),
      ],
      existing: [
        {
          file: 'project_node-version.md',
          type: 'project',
          name: 'Node version of the plugin host',
          description: 'Plugin host: Node >= 20',
          body: 'The plugin host needs Node >= 20.',
        },
      ],
      write: memory('project', 'The plugin host needs Node <= 20.', {
        name: 'Node version of the plugin host',
        description: 'Plugin host: Node <= 20',
        file: 'project_node-version.md',
      }),
      verdict: 'accept',
      reason: 'contradiction-update',
    },
    {
      title: 'flip not: A "not" is added',
      span: [
        assistant('Squashing the commits as usual.'),
        user('Do not squash commits any more when you merge, the auditors want the single steps.'),
      ],
      existing: [
        {
          file: 'feedback_squash-commits.md',
          type: 'feedback',
          name: 'Squash commits',
          description: 'Squash commits when merging',
          body: 'Do squash commits when merging.',
        },
      ],
      write: memory('feedback', 'Do not squash commits when merging.', {
        name: 'Squash commits',
        description: 'Do not squash commits when merging',
        file: 'feedback_squash-commits.md',
      }),
      verdict: 'accept',
      reason: 'contradiction-update',
    },
    {
      title: 'flip date: Only the date differs',
      span: [user('The freeze got moved, it begins 15 April 2025 now.'), assistant('Updated the plan.')],
      existing: [
        {
          file: 'project_freeze.md',
          type: 'project',
          name: 'Merge freeze',
          description: 'Freeze begins 1 March 2025',
          body: 'The merge freeze begins 1 March 2025.',
        },
      ],
      write: memory('project', 'The merge freeze begins 15 April 2025.', {
        name: 'Merge freeze',
        description: 'Freeze begins 15 April 2025',
        file: 'project_freeze.md',
      }),
      verdict: 'accept',
      reason: 'contradiction-update',
    },
    {
      title: 'flip never: "never mock" becomes "mock": one word apart, opposite meaning',
      span: [
        user(
          'Change of plan on the database: mock the database in unit tests from now on, the shared test instance is gone.',
        ),
        assistant("I'll use a mock."),
      ],
      existing: [
        {
          file: 'feedback_never-mock-the-database.md',
          type: 'feedback',
          name: 'Database in unit tests',
          description: 'Never mock the database in unit tests',
          body: 'Never mock the database in unit tests.\n\n**Why:** Said by the user.\n\n**How to apply:** All unit tests.',
        },
      ],
      write: memory(
        'feedback',
        'Mock the database in unit tests.\n\n**Why:** Said by the user.\n\n**How to apply:** All unit tests.',
        {
          name: 'Database in unit tests',
          description: 'Mock the database in unit tests',
          file: 'feedback_never-mock-the-database.md',
        },
      ),
      verdict: 'accept',
      reason: 'contradiction-update',
    },
    {
      title: 'flip order: Same words, other order',
      span: [user("We've switched back: use npm, not pnpm, here. The CI image lost pnpm."), assistant('Using npm.')],
      existing: [
        {
          file: 'feedback_package-manager.md',
          type: 'feedback',
          name: 'Package manager',
          description: 'pnpm, not npm',
          body: 'Use pnpm, not npm.',
        },
      ],
      write: memory('feedback', 'Use npm, not pnpm.', {
        name: 'Package manager',
        description: 'npm, not pnpm',
        file: 'feedback_package-manager.md',
      }),
      verdict: 'accept',
      reason: 'contradiction-update',
    },
    {
      title: 'later messages: The date of the supporting message counts, not that of the last one',
      span: [
        user('The data centre move is tomorrow.', '2025-03-10'),
        assistant('Good luck.', '2025-03-10'),
        user('Back again. Can you sort this list?', '2025-03-12'),
        assistant('Sorted.', '2025-03-12'),
      ],
      write: memory(
        'project',
        'The data centre move is tomorrow.\n\n**Why:** Planned by operations.\n\n**How to apply:** Outages around it are expected.',
        { name: 'Data centre move', description: 'Day of the data centre move' },
      ),
      verdict: 'accept',
      reason: 'relative-date',
      holds: '2025-03-11',
    },
    {
      title: 'tomorrow: Across the end of a month',
      span: [
        user('The demo for the investors is tomorrow at ten.', '2025-04-30'),
        assistant("I'll prepare the seed data.", '2025-04-30'),
      ],
      write: memory(
        'project',
        'The demo for the investors is tomorrow at ten.\n\n**Why:** Fixed appointment.\n\n**How to apply:** No risky changes before it.',
        { name: 'Investor demo', description: 'Demo for the investors' },
      ),
      verdict: 'accept',
      reason: 'relative-date',
      holds: '2025-05-01',
    },
    {
      title: 'german: German: übermorgen',
      span: [
        user('Übermorgen ist Abgabe des Förderantrags.', '2025-07-30'),
        assistant('Dann prüfe ich zuerst die Zahlen.', '2025-07-30'),
      ],
      write: memory(
        'project',
        'Abgabe des Förderantrags ist übermorgen.\n\n**Why:** Frist des Ministeriums.\n\n**How to apply:** Vorher nichts anderes einplanen.',
        { name: 'Abgabe Förderantrag', description: 'Abgabe des Förderantrags' },
      ),
      verdict: 'accept',
      reason: 'relative-date',
      holds: '2025-08-01',
    },
    {
      title: 'in n weeks: In two weeks',
      span: [
        user('The old VPN gets switched off in two weeks.', '2025-02-17'),
        assistant('Then the scripts must move.', '2025-02-17'),
      ],
      write: memory(
        'project',
        'The old VPN gets switched off in two weeks.\n\n**Why:** IT decision.\n\n**How to apply:** Move scripts that use it.',
        { name: 'Old VPN switched off', description: 'Old VPN is switched off' },
      ),
      verdict: 'accept',
      reason: 'relative-date',
      holds: '2025-03-03',
    },
    {
      title: 'chinese: Chinese: 明天',
      span: [user('明天开始冻结代码，准备国庆版本。', '2025-09-30'), assistant('好的。', '2025-09-30')],
      write: memory(
        'project',
        '明天开始冻结代码。\n\n**Why:** 准备国庆版本。\n\n**How to apply:** 冻结后只合并修复。',
        { name: '代码冻结', description: '国庆版本的代码冻结' },
      ),
      verdict: 'accept',
      reason: 'relative-date',
      holds: '2025-10-01',
    },
    {
      title: 'yesterday: Across a year',
      span: [
        user('We signed the contract with the hospital yesterday.', '2025-01-01'),
        assistant('Congratulations.', '2025-01-01'),
      ],
      write: memory(
        'project',
        'The contract with the hospital was signed yesterday.\n\n**Why:** Start of the project.\n\n**How to apply:** Terms count from that day.',
        { name: 'Hospital contract', description: 'Contract with the hospital signed' },
      ),
      verdict: 'accept',
      reason: 'relative-date',
      holds: '2024-12-31',
    },
    {
      title: 'identical: Byte-identical',
      span: [user("As I said: don't summarise at the end of a response."), assistant('Sorry.')],
      existing: [
        {
          file: 'feedback_no-closing-summaries.md',
          type: 'feedback',
          name: 'No closing summaries',
          description: 'No summary at the end',
          body: "Don't summarise at the end of a response.",
        },
      ],
      write: memory('feedback', "Don't summarise at the end of a response.", {
        name: 'No closing summaries',
        description: 'No summary at the end',
      }),
      verdict: 'merge',
      reason: 'exact-duplicate',
    },
    {
      title: 'case and stops: Case, an exclamation mark and double blanks at once',
      span: [user('No emoji in log messages!'), assistant('Removed.')],
      existing: [
        {
          file: 'feedback_log-emoji.md',
          type: 'feedback',
          name: 'No emoji in logs',
          description: 'No emoji in log messages',
          body: 'No emoji in log messages.',
        },
      ],
      write: memory('feedback', 'NO EMOJI  in log messages!', {
        name: 'Log messages without emoji',
        description: 'No emoji in log messages',
      }),
      verdict: 'merge',
      reason: 'exact-duplicate',
    },
    {
      title: 'dash: Em dash against hyphen',
      span: [user('British spelling in docs, as always - colour, not color.'), assistant('Fixed.')],
      existing: [
        {
          file: 'feedback_british-spelling.md',
          type: 'feedback',
          name: 'British spelling',
          description: 'British spelling in docs',
          body: 'British spelling in docs - colour, not color.',
        },
      ],
      write: memory('feedback', 'British spelling in docs — colour, not color.', {
        name: 'British spelling',
        description: 'British spelling in docs',
      }),
      verdict: 'merge',
      reason: 'exact-duplicate',
    },
    {
      title: 'full width: Full-width against ASCII letters (Japanese)',
      span: [user('APIのエラーは必ず英語で返してください。'), assistant('了解しました。')],
      existing: [
        {
          file: 'feedback_api-errors.md',
          type: 'feedback',
          name: 'APIのエラーは英語',
          description: 'APIのエラーは英語で返す',
          body: 'APIのエラーは必ず英語で返す。',
        },
      ],
      write: memory('feedback', 'ＡＰＩのエラーは必ず英語で返す。', {
        name: 'APIのエラーは英語',
        description: 'APIのエラーは英語で返す',
      }),
      verdict: 'merge',
      reason: 'exact-duplicate',
    },
    {
      title: 'whitespace: Only blanks and line breaks differ',
      span: [user('Again: staging deploys need a ticket number in the description.'), assistant('Added.')],
      existing: [
        {
          file: 'feedback_staging-deploys.md',
          type: 'feedback',
          name: 'Staging deploys',
          description: 'Ticket number in staging deploys',
          body: 'Staging deploys need a ticket number in the description.',
        },
      ],
      write: memory('feedback', 'Staging deploys   need a ticket number\nin the description. \n', {
        name: 'Staging deploys',
        description: 'Ticket number in staging deploys',
      }),
      verdict: 'merge',
      reason: 'exact-duplicate',
    },
    {
      title: 'other name: Same text under another name',
      span: [user("The design files are in Figma, team 'Storefront'."), assistant('Thanks.')],
      existing: [
        {
          file: 'reference_figma.md',
          type: 'reference',
          name: 'Figma',
          description: 'Design files in Figma',
          body: "The design files are in Figma, team 'Storefront'.",
        },
      ],
      write: memory('reference', "The design files are in Figma, team 'Storefront'.", {
        name: 'Where the designs are',
        description: 'Design files are in Figma, team Storefront',
      }),
      verdict: 'merge',
      reason: 'exact-duplicate',
    },
    {
      title: 'among several: The equal one is the third of four existing memories',
      span: [user("Just so it's clear, I prefer dark themes in every mock-up."), assistant('Dark it is.')],
      existing: [
        {
          file: 'user_role.md',
          type: 'user',
          name: 'Role',
          description: 'Product designer',
          body: 'The user is a product designer.',
        },
        {
          file: 'reference_figma.md',
          type: 'reference',
          name: 'Figma',
          description: 'Designs in Figma',
          body: 'Designs are in Figma.',
        },
        {
          file: 'user_dark-themes.md',
          type: 'user',
          name: 'Dark themes',
          description: 'Prefers dark themes',
          body: 'The user prefers dark themes in every mock-up.',
        },
        {
          file: 'user_fonts.md',
          type: 'user',
          name: 'Fonts',
          description: 'Prefers serif fonts',
          body: 'The user prefers serif fonts in print.',
        },
      ],
      write: memory('user', 'The user prefers dark themes in every mock-up', {
        name: 'Dark themes',
        description: 'Prefers dark themes in mock-ups',
      }),
      verdict: 'merge',
      reason: 'exact-duplicate',
    },
  ]);
});
