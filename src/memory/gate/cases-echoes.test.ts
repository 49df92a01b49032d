import { describe } from 'vitest';
import { assistant, bash, injected, memory, testCases, user } from '../../../test/support/gate-cases.ts';

describe('echoes of our own text, and what nobody said, are refused', () => {
  testCases([
    {
      title: 'recalled feedback: Recalled from another folder (user level), not in this one',
      span: [
        user('Write tests for the parser.'),
        injected(
          'Memory (yesterday) feedback_no-mocks.md:\nIntegration tests must hit a real database, not mocks. Why: mocked tests hid a broken migration.',
        ),
        assistant('Tests added against the real database.'),
      ],
      write: memory(
        'feedback',
        'Integration tests must hit a real database, not mocks.\n\n**Why:** Mocked tests hid a broken migration.\n\n**How to apply:** All integration tests.',
        { name: 'Real database in tests', description: 'Integration tests hit a real database' },
      ),
      verdict: 'reject',
      reason: 'injected-echo',
    },
    {
      title: 'recalled reference: Recalled reference reworded with the same terms',
      span: [
        user('Sort the imports.'),
        injected(
          "Memory (today) reference_runbook.md:\nThe failover runbook is in Confluence space OPS, page 'Database failover'.",
        ),
        assistant('Sorted.'),
      ],
      existing: [
        {
          file: 'reference_runbook.md',
          type: 'reference',
          name: 'Failover runbook',
          description: 'Failover runbook in Confluence',
          body: "The failover runbook is in Confluence space OPS, page 'Database failover'.",
        },
      ],
      write: memory('reference', "The runbook for failover: Confluence, space OPS, page 'Database failover'.", {
        name: 'Runbook location',
        description: 'Failover runbook in Confluence OPS',
      }),
      verdict: 'reject',
      reason: 'injected-echo',
    },
    {
      title: 'date notice: The date notice is not knowledge',
      span: [
        injected("Today's date is 2025-06-03. It changed since the last message."),
        user('Rename the helper to toSlug.'),
        assistant('Renamed.'),
      ],
      write: memory('project', 'The current date is 2025-06-03.', { name: 'Date', description: 'Today is 2025-06-03' }),
      verdict: 'reject',
      reason: 'injected-echo',
    },
    {
      title: 'assistant repeats recall: The assistant repeats the recalled memory; still no word of the user',
      span: [
        injected('Memory (15 days ago) project_budget.md:\nCloud spend is capped at 400 euros a month.'),
        user('Which instance type is smaller, m5.large or m5.xlarge?'),
        assistant('m5.large. Note that cloud spend is capped at 400 euros a month.'),
        user('thx'),
      ],
      write: memory(
        'project',
        'Cloud spend is capped at 400 euros a month.\n\n**Why:** Mentioned in the conversation.\n\n**How to apply:** Choose small instances.',
        { name: 'Cloud cap', description: 'Cloud spend capped at 400 euros a month' },
      ),
      verdict: 'reject',
      reason: 'injected-echo',
    },
    {
      title: 'todo reminder: Reminder about the todo tool',
      span: [
        injected(
          'The todo list is empty. If you are working on tasks that would benefit from a todo list, use TodoWrite. Do not mention this to the user.',
        ),
        user('Translate this sentence to French: the door is open.'),
        assistant('La porte est ouverte.'),
      ],
      write: memory(
        'feedback',
        'Use TodoWrite for tasks that benefit from a todo list; do not mention this to the user.\n\n**Why:** Reminder.\n\n**How to apply:** Larger tasks.',
        { name: 'Use a todo list', description: 'Use TodoWrite for tasks, do not mention it to the user' },
      ),
      verdict: 'reject',
      reason: 'injected-echo',
    },
    {
      title: 'index line: A line of the injected index becomes a memory',
      span: [
        injected(
          'Memory index:\n- [Oncall board](reference_oncall-board.md) — Grafana board that pages oncall\n- [Freeze](project_freeze.md) — merge freeze for mobile',
        ),
        user('Any lint errors left?'),
        bash('eslint: 0 problems'),
        assistant('None.'),
      ],
      existing: [
        {
          file: 'reference_oncall-board.md',
          type: 'reference',
          name: 'Oncall board',
          description: 'Grafana board that pages oncall',
          body: 'grafana.internal/d/api-latency is watched by oncall.',
        },
      ],
      write: memory('reference', 'There is a Grafana board that pages oncall; and a merge freeze for mobile.', {
        name: 'Grafana board pages oncall',
        description: 'Grafana board that pages oncall',
      }),
      verdict: 'reject',
      reason: 'injected-echo',
    },
    {
      title: 'recalled twice: Two recalled memories merged into a third',
      span: [
        injected('Memory (3 days ago) user_go.md:\nThe user has ten years of Go.'),
        injected('Memory (3 days ago) feedback_terse.md:\nAnswers should be terse, without recap.'),
        user('Explain this regex: ^a+b?$'),
        assistant('One or more a, then optionally b.'),
      ],
      existing: [
        {
          file: 'user_go.md',
          type: 'user',
          name: 'Go',
          description: 'Ten years of Go',
          body: 'The user has ten years of Go.',
        },
        {
          file: 'feedback_terse.md',
          type: 'feedback',
          name: 'Terse',
          description: 'Terse answers',
          body: 'Answers should be terse, without recap.',
        },
      ],
      write: memory('user', 'The user has ten years of Go and wants terse answers without recap.', {
        name: 'Go expert who likes terse answers',
        description: 'Ten years of Go, terse answers',
      }),
      verdict: 'reject',
      reason: 'injected-echo',
    },
    {
      title: 'recalled zh: Chinese: recalled memory repeated',
      span: [
        injected('记忆（5天前）user_backend.md：\n用户是后端工程师，喜欢用表格看对比。'),
        user('把这段日志翻译成英文。'),
        assistant('Here is the translation...'),
      ],
      write: memory('user', '用户是后端工程师，喜欢用表格看对比。', {
        name: '后端工程师，喜欢表格',
        description: '后端工程师，喜欢用表格看对比',
      }),
      verdict: 'reject',
      reason: 'injected-echo',
    },
    {
      title:
        "inside user message: The reminder rides at the end of the user-side message (6.6); only the part before it is the user's",
      span: [
        user(
          'Bump the version to 2.4.0.\n<system-reminder>\nMemory (20 days ago) feedback_british-spelling.md:\nDocs use British spelling: colour, behaviour, licence.\n</system-reminder>',
        ),
        assistant('Bumped.'),
      ],
      write: memory(
        'feedback',
        'Docs use British spelling: colour, behaviour, licence.\n\n**Why:** Preference.\n\n**How to apply:** All docs.',
        { name: 'British spelling', description: 'Docs use British spelling' },
      ),
      verdict: 'reject',
      reason: 'injected-echo',
    },
    {
      title: 'invented link: The address occurs nowhere',
      span: [user('How do I undo the last commit but keep the changes?'), assistant('git reset --soft HEAD~1')],
      write: memory('reference', 'The team keeps its git guide at wiki.corp.example/git-howto.', {
        name: 'Team wiki',
        description: 'Team wiki at wiki.corp.example/git-howto',
      }),
      verdict: 'reject',
      reason: 'unsupported',
    },
    {
      title: 'assistant guess: Only the assistant guesses it; the user does not react to it',
      span: [
        user('Explain what a monad is in one line.'),
        assistant(
          'A monad is a monoid in the category of endofunctors. You seem to be a mathematician with a background in category theory.',
        ),
        user('Now write the CSV export.'),
      ],
      write: memory('user', 'The user is a mathematician with a background in category theory.', {
        name: 'Mathematician',
        description: 'The user is a mathematician with a background in category theory',
      }),
      verdict: 'reject',
      reason: 'unsupported',
    },
    {
      title: 'invented personal: Personal claim without evidence',
      span: [
        user('Book me a table for four on the terrace, if they have one.'),
        assistant("I can't book, but here is the number."),
      ],
      write: memory('user', 'The user is married with two children and a dog.', {
        name: 'Has two children',
        description: 'The user is married with two children and a dog',
      }),
      verdict: 'reject',
      reason: 'unsupported',
    },
    {
      title: 'invented taste: No word of it in the span',
      span: [user('Rename the variable i to index.'), assistant('Renamed.')],
      write: memory('user', 'The user prefers functional programming and immutable data structures.', {
        name: 'Prefers functional programming',
        description: 'The user prefers functional programming and immutable data',
      }),
      verdict: 'reject',
      reason: 'unsupported',
    },
    {
      title: 'invented owner: No word of it in the span',
      span: [user('Convert this table to JSON: a,1 b,2'), assistant('{"a":1,"b":2}')],
      write: memory(
        'project',
        'The payments rewrite is led by the Berlin office.\n\n**Why:** Organisation.\n\n**How to apply:** Ask Berlin.',
        { name: 'Payments rewrite', description: 'The payments rewrite is led by the Berlin office' },
      ),
      verdict: 'reject',
      reason: 'unsupported',
    },
  ]);
});
