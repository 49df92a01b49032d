/** Skills: which are found, which are left out and why, and what the model gets when it calls for one. */

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { SKILL_LIMITS } from '../../limits.ts';
import { findSkills } from './find-skills.ts';
import { listSkills, skillTool } from './skill-tool.ts';

const base = temporaryFolder('skills');

/** Files by their path below a world of its own: `project/.claude/skills/x/SKILL.md`. */
function world(files: Readonly<Record<string, string>>) {
  const place = mkdtempSync(join(base, 'world-'));
  const facts = {
    projectRoot: join(place, 'project'),
    userHome: join(place, 'user'),
    home: join(place, 'user', '.reverie'),
    trusted: true,
  };
  mkdirSync(facts.projectRoot);
  mkdirSync(facts.home, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(place, path, '..'), { recursive: true });
    writeFileSync(join(place, path), text);
  }
  return { place, facts };
}

const skill = (name: string, description: string, body = 'Do it.') =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`;
const namesOf = (facts: Parameters<typeof findSkills>[0]) => findSkills(facts).skills.map(({ name }) => name);

const run = { signal: new AbortController().signal, toolUseId: 't', onProgress() {} };
const call = (facts: Parameters<typeof findSkills>[0], input: Record<string, unknown>) =>
  skillTool(findSkills(facts).skills).run(input, run);

describe('skills', () => {
  it('are found in all four places, the project’s before the user’s', () => {
    const { facts } = world({
      'project/.reverie/skills/a/SKILL.md': skill('a', 'of the project'),
      'project/.claude/skills/a/SKILL.md': skill('a', 'of another agent'),
      'project/.claude/skills/b/SKILL.md': skill('b', 'B'),
      'user/.reverie/skills/a/SKILL.md': skill('a', 'of the user'),
      'user/.reverie/skills/c/SKILL.md': skill('c', 'C'),
      'user/.claude/skills/d/SKILL.md': skill('d', 'D'),
    });
    const { skills, warnings } = findSkills(facts);
    expect(skills.map(({ name, description, level }) => [name, description, level])).toEqual([
      ['a', 'of the project', 'project'],
      ['b', 'B', 'project'],
      ['c', 'C', 'user'],
      ['d', 'D', 'user'],
    ]);
    expect(warnings).toEqual([]);
  });

  it('of an untrusted project are not loaded, and one line says so', () => {
    const { facts } = world({
      'project/.claude/skills/a/SKILL.md': skill('a', 'of the project'),
      'user/.claude/skills/a/SKILL.md': skill('a', 'of the user'),
    });
    const { skills, warnings } = findSkills({ ...facts, trusted: false });
    expect(skills.map(({ description }) => description)).toEqual(['of the user']);
    expect(warnings).toEqual([expect.stringContaining('reverie trust')]);
  });

  it('in the user’s own home folder are the user’s, trusted or not', () => {
    const { facts } = world({ 'user/.claude/skills/a/SKILL.md': skill('a', 'A') });
    const { skills, warnings } = findSkills({ ...facts, projectRoot: facts.userHome, trusted: false });
    expect([skills.map(({ level }) => level), warnings]).toEqual([['user'], []]);
  });

  it('do without a header: the folder names them, the first line describes them', () => {
    const { facts } = world({
      'user/.claude/skills/plain/SKILL.md': '\n# How to release\n\nTag it.',
      'user/.claude/skills/odd/SKILL.md': '---\nname: "a b\\n- c: evil"\ndescription: [x\n---\nBody',
    });
    expect(findSkills(facts).skills.map(({ name, description }) => [name, description])).toEqual([
      ['odd', expect.any(String)],
      ['plain', 'How to release'],
    ]);
  });

  it('never come through links, and are not too large', () => {
    const { place, facts } = world({
      'outside/SKILL.md': skill('outside', 'secret'),
      'project/.claude/skills/b/other.md': '',
      'project/.claude/skills/big/SKILL.md': 'x'.repeat(SKILL_LIMITS.fileBytes + 1),
      'project/.claude/skills/good/SKILL.md': skill('good', 'fine'),
    });
    symlinkSync(join(place, 'outside'), join(facts.projectRoot, '.claude/skills/a'));
    symlinkSync(join(place, 'outside/SKILL.md'), join(facts.projectRoot, '.claude/skills/b/SKILL.md'));
    symlinkSync(join(place, 'outside'), join(facts.projectRoot, '.reverie'));
    const { skills, warnings } = findSkills(facts);
    expect(skills.map(({ name }) => name)).toEqual(['good']);
    expect(warnings).toHaveLength(4);
  });

  it('that are no folders, or hold no SKILL.md, are skipped', () => {
    const { facts } = world({ 'user/.claude/skills/README.md': 'x', 'user/.claude/skills/empty/notes.md': 'x' });
    expect(findSkills(facts)).toEqual({ skills: [], warnings: [] });
  });
});

describe('the tool', () => {
  it('lists a line for each, cut, and not without end', () => {
    const { facts } = world({ 'user/.claude/skills/a/SKILL.md': skill('a', `first ${'long '.repeat(500)}`) });
    const [found] = findSkills(facts).skills;
    const many = Array.from({ length: SKILL_LIMITS.listed + 5 }, (_, index) => ({ ...found!, name: `s${index}` }));
    const lines = listSkills(many).split('\n');
    expect(lines).toHaveLength(SKILL_LIMITS.listed + 1);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(SKILL_LIMITS.lineCharacters);
    expect(lines.at(-1)).toContain('5 more');
  });

  it('answers with the text as it is now, its folder and the arguments', async () => {
    const { facts } = world({
      'user/.claude/skills/a/SKILL.md': skill('a', 'A', 'Release $ARGUMENTS now.'),
      'user/.claude/skills/b/SKILL.md': skill('b', 'B', 'Look.'),
    });
    const tool = skillTool(findSkills(facts).skills);
    expect(tool.description).toContain('- a: A\n- b: B');
    expect(tool.isReadOnly({ skill: 'a' })).toBe(true);
    const folder = join(facts.userHome, '.claude/skills');
    expect((await tool.run({ skill: 'a', args: '1.2 $& x' }, run)).content).toBe(
      `Skill a, in the folder ${join(folder, 'a')}\n\nRelease 1.2 $& x now.`,
    );
    writeFileSync(join(folder, 'b/SKILL.md'), skill('b', 'B', 'Look again.'));
    expect((await tool.run({ skill: '/b', args: 'here' }, run)).content).toContain('Look again.\n\nArguments: here');
  });

  it('says what there is when the name is wrong, and when a skill went away or became a link', async () => {
    const { place, facts } = world({ 'user/.claude/skills/a/SKILL.md': skill('a', 'A'), 'secret.md': 'the secret' });
    expect(await call(facts, { skill: '../a' })).toEqual({
      content: expect.stringContaining('Skills: a.'),
      isError: true,
    });
    const tool = skillTool(findSkills(facts).skills);
    const file = join(facts.userHome, '.claude/skills/a/SKILL.md');
    rmSync(file);
    expect(await tool.run({ skill: 'a' }, run)).toMatchObject({ isError: true });
    symlinkSync(join(place, 'secret.md'), file);
    const answer = await tool.run({ skill: 'a' }, run);
    expect(answer).toMatchObject({ isError: true });
    expect(answer.content).not.toContain('the secret');
  });

  it('keeps from the model what is for the user alone', async () => {
    const { facts } = world({
      'user/.claude/skills/a/SKILL.md': '---\nname: a\ndescription: A\ndisable-model-invocation: true\n---\nDeploy.',
    });
    expect(namesOf(facts)).toEqual(['a']);
    expect(skillTool(findSkills(facts).skills).description).not.toContain('- a:');
    expect(await call(facts, { skill: 'a' })).toMatchObject({ isError: true });
  });
});
