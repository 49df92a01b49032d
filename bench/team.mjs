// What team memory costs: the start of a session with 1,000 memories of colleagues beside one without, and recall over 10,000 of theirs and
// 1,000 private ones beside 11,000 private ones. In turns, in one run: only differences and ratios count. `node bench/team.mjs ROUNDS`.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openAgent, openMemory, scriptedModel } from '../dist/index.js';

const SELF = fileURLToPath(import.meta.url);
const TEAM = '.reverie/team-memory';
const TOPICS = 'database deploys billing tests frontend login cache logs metrics queue'.split(' ');
const VERBS = 'prefers owns broke moved renamed forbids requires documents replaced tracks'.split(' ');
const PLACES = 'Oslo Porto Lyon Turin Ghent Graz Brno Cork Kiel Pula'.split(' ');
const DISAGREEMENTS = 100;

async function measureAll(rounds) {
  const scratch = mkdtempSync(join(tmpdir(), 'reverie-bench-team-'));
  try {
    await measureStart(scratch, rounds);
    await measureRecall(scratch, rounds);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** In a process of its own: how long it takes until a session can be talked to. */
async function start(folder) {
  const began = performance.now();
  const agent = await openAgent({ ...placeOf(folder), model: scriptedModel({ steps: [] }), transcript: false });
  console.log(performance.now() - began);
  await agent.close();
}

function placeOf(folder) {
  return { cwd: join(folder, 'project'), home: join(folder, 'home'), env: { HOME: folder, PATH: process.env.PATH } };
}

async function measureStart(scratch, rounds) {
  const folders = { without: join(scratch, 'start-0'), with: join(scratch, 'start-1000') };
  await makeProject(folders.without, { team: 0 });
  await makeProject(folders.with, { team: 1_000 });
  const cases = {
    'nothing changed since the last start': () => {},
    'a file was edited in place, and a minute went by': (folder) => touch(folder, 1),
    'a pull brought one memory': (folder) => addTeam(folder, 1),
  };
  console.log(`start of a session, ${rounds} rounds: milliseconds that 1,000 team memories add`);
  for (const each of Object.values(folders)) starting(each);
  for (const [name, before] of Object.entries(cases)) {
    const times = { without: [], with: [] };
    for (let round = 0; round < rounds; round++) {
      for (const which of ['without', 'with']) {
        if (which === 'with') before(folders.with);
        times[which].push(starting(folders[which]));
      }
    }
    const [without, withTeam] = [median(times.without), median(times.with)];
    console.log(
      `${name.padEnd(52)} ${without.toFixed(0)} -> ${withTeam.toFixed(0)} ms: ${(withTeam - without).toFixed(0)} more`,
    );
  }
  const first = join(scratch, 'start-first');
  await makeProject(first, { team: 1_000 });
  console.log(`${'the very first time'.padEnd(52)} ${starting(first).toFixed(0)} ms`);
}

function starting(folder) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [SELF, '--start', folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return Number(stdout.trim().split('\n')[0]);
}

async function measureRecall(scratch, rounds) {
  const [mixed, own] = [join(scratch, 'recall-team'), join(scratch, 'recall-own')];
  await makeProject(mixed, { team: 10_000, own: 1_000, disagreements: DISAGREEMENTS });
  await makeProject(own, { team: 0, own: 11_000 });
  const memories = [await openMemory(placeOf(mixed)), await openMemory(placeOf(own))];
  for (const memory of memories) await memory.ready();
  const times = [[], []];
  for (let at = 0; at < rounds * 10; at++) {
    const question = `who ${VERBS[at % 10]} the ${TOPICS[(at * 7) % 10]} in ${PLACES[(at * 3) % 10]}?`;
    for (const [which, memory] of memories.entries()) {
      const began = performance.now();
      await memory.recall(question);
      times[which].push(performance.now() - began);
    }
  }
  let [first, both] = [0, 0];
  for (let at = 0; at < DISAGREEMENTS; at++) {
    const hits = await memories[0].recall(`on which day does ${subjectOf(at)} meet?`);
    const ours = hits.findIndex(({ scope, file }) => scope === 'project' && file.endsWith(`meeting-${at}.md`));
    const theirs = hits.findIndex(({ scope, file }) => scope === 'team' && file.includes(`meeting-${at}-`));
    if (ours >= 0 && theirs >= 0) both++;
    if (ours >= 0 && (theirs < 0 || ours < theirs)) first++;
  }
  for (const memory of memories) await memory.close();
  const [team, plain] = times.map((each) => ({ p50: percentile(each, 50), p95: percentile(each, 95) }));
  const text = ({ p50, p95 }) => `p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`;
  console.log(`\nrecall over 10,000 team and 1,000 private memories: ${text(team)}`);
  console.log(`recall over 11,000 private memories:                ${text(plain)}`);
  console.log(`ratio: p50 ${(team.p50 / plain.p50).toFixed(2)}, p95 ${(team.p95 / plain.p95).toFixed(2)}`);
  console.log(`private first where they disagree: ${first} of ${DISAGREEMENTS} (both found: ${both})`);
}

async function makeProject(folder, { team, own = 0, disagreements = 0 }) {
  const { cwd } = placeOf(folder);
  mkdirSync(cwd, { recursive: true });
  git(cwd, 'init', '-q', '-b', 'main');
  writeFileSync(join(cwd, 'README.md'), 'A project.\n');
  if (team > 0) {
    mkdirSync(join(cwd, TEAM), { recursive: true });
    for (let at = 0; at < team; at++) writeFileSync(join(cwd, TEAM, `project_fact-${at}-${idOf(at)}.md`), factText(at));
  }
  for (let at = 0; at < disagreements; at++) {
    writeFileSync(join(cwd, TEAM, `project_meeting-${at}-${idOf(1_000_000 + at)}.md`), meetingText(at, 'Tuesdays'));
  }
  commit(cwd);
  const memory = await openMemory(placeOf(folder));
  const { project } = memory.folders;
  await memory.close();
  mkdirSync(project, { recursive: true });
  for (let at = 0; at < own; at++) writeFileSync(join(project, `project_own-${at}.md`), factText(at + 500_000));
  for (let at = 0; at < disagreements; at++)
    writeFileSync(join(project, `project_meeting-${at}.md`), meetingText(at, 'Thursdays'));
}

function touch(folder, at) {
  const { cwd, home } = placeOf(folder);
  const file = join(cwd, TEAM, `project_fact-${at}-${idOf(at)}.md`);
  writeFileSync(file, `${factText(at)}It changed at ${performance.now()}.\n`);
  const long = new Date(Date.now() - 3_600_000);
  for (const looked of execFileSync('find', [home, '-name', 'looked.txt'], { encoding: 'utf8' }).trim().split('\n')) {
    writeFileSync(looked, `${long.getTime()} none`);
  }
  utimesSync(file, new Date(), long);
}

let added = 2_000_000;
function addTeam(folder, count) {
  const { cwd } = placeOf(folder);
  for (let at = 0; at < count; at++) {
    added++;
    writeFileSync(join(cwd, TEAM, `project_fact-${added}-${idOf(added)}.md`), factText(added));
  }
  commit(cwd);
}

function git(cwd, ...words) {
  execFileSync('git', ['-c', 'user.name=ann', '-c', 'user.email=ann@example.org', ...words], { cwd, stdio: 'ignore' });
}

function commit(cwd) {
  git(cwd, 'add', '-A');
  git(cwd, 'commit', '-q', '-m', 'Memories');
}

function idOf(at) {
  return at.toString(36).padStart(8, '0');
}

function factText(at) {
  const [verb, topic, place] = [VERBS[at % 10], TOPICS[Math.floor(at / 10) % 10], PLACES[Math.floor(at / 100) % 10]];
  const sentence = `Team ${at} ${verb} the ${topic} in ${place}`;
  return `---\nname: Fact ${at}\ndescription: ${sentence}\ntype: project\n---\n\n${sentence}, since the office there asked for it.\n`;
}

/** Words that no other memory has, so that it is clear which two are about the same. */
function subjectOf(at) {
  return `the guild of ${PLACES[at % 10]} ${TOPICS[Math.floor(at / 10)]} stewards`;
}

function meetingText(at, day) {
  const sentence = `${subjectOf(at)} meets on ${day}`;
  return `---\nname: Meeting ${at}\ndescription: ${sentence}\ntype: project\n---\n\n${sentence}.\n`;
}

function median(values) {
  return percentile(values, 50);
}

function percentile(values, share) {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * share) / 100))];
}

if (process.argv[2] === '--start') await start(process.argv[3]);
else await measureAll(Number(process.argv[2] ?? 15));
