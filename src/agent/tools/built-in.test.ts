import { afterEach, beforeEach, expect, it } from 'vitest';
import { createToolPlace, type ToolPlace } from '../../../test/support/tool-place.ts';
import { likenessTo, nearest } from './likeness.ts';
import { createTodos } from './todo-write.ts';

let place: ToolPlace;
beforeEach(() => {
  place = createToolPlace();
});
afterEach(() => place.close());

it('are always the same, in the same order', async () => {
  const names = [
    'AskUser',
    'Bash',
    'BashOutput',
    'KillShell',
    'Edit',
    'Glob',
    'Grep',
    'Read',
    'TodoWrite',
    'WebFetch',
    'Write',
  ];
  expect(place.tools.map(({ name }) => name)).toEqual(names);
  const other = createToolPlace();
  const schemas = (each: ToolPlace) =>
    JSON.stringify(each.tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })));
  expect(schemas(other)).toBe(schemas(place));
  await other.close();
});

it('say which of them change nothing', () => {
  const readers = place.tools.filter((tool) => tool.isReadOnly({ command: 'ls' })).map(({ name }) => name);
  expect(readers).toEqual(['AskUser', 'BashOutput', 'Glob', 'Grep', 'Read', 'TodoWrite']);
});

it('take no input that their schema does not name', async () => {
  for (const { name, inputSchema } of place.tools) {
    expect(inputSchema.additionalProperties, name).toBe(false);
    expect(await place.call(name, { surprise: 1 }), name).toMatchObject({ isError: true });
  }
});

it('keep the list of steps, and start from one that is given', async () => {
  const step = (content: string, status: 'pending' | 'in_progress' | 'completed') => ({
    content,
    status,
    activeForm: content,
  });
  const todos = createTodos([step('old', 'pending')]);
  const other = createToolPlace({ todos });
  expect(todos.current().map(({ content }) => content)).toEqual(['old']);
  const next = [step('a', 'completed'), step('b', 'in_progress'), step('c', 'pending')];
  const updated = await other.call('TodoWrite', { todos: next });
  expect(updated.text).toBe('The list is updated: 1 done, 1 in progress, 1 to do.');
  expect(todos.current()).toEqual(next);
  const twice = await other.call('TodoWrite', { todos: [step('a', 'in_progress'), step('b', 'in_progress')] });
  expect(twice.text).toContain('Only one step should be in progress');
  expect(await other.call('TodoWrite', { todos: [step(' ', 'pending')] })).toMatchObject({ isError: true });
  expect(await other.call('TodoWrite', { todos: [{ content: 'a', status: 'done', activeForm: 'a' }] })).toMatchObject({
    isError: true,
    text: expect.stringContaining('todos[0].status'),
  });
  expect(todos.current().length).toBe(2);
  await other.close();
});

it('know what a name is like', () => {
  expect(likenessTo('same')('same')).toBe(1);
  expect(likenessTo('abc')('xyz')).toBe(0);
  expect(nearest('filepath', ['offset', 'file_path', 'limit'])).toEqual(['file_path']);
  expect(nearest('zzz', ['offset', 'file_path'])).toEqual([]);
});
