/** Which sandbox works here: one probe for the process, when it is first asked for. */

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { release } from 'node:os';
import { SANDBOX_BOUNDS } from './bounds.ts';
import { bubblewrap } from './bubblewrap.ts';
import { chooseProcessBound } from './process-bound.ts';
import type { FoundSandbox, Sandbox, SandboxedStart, SandboxPolicy } from './sandbox.ts';
import { seatbelt } from './seatbelt.ts';

export interface SandboxFacts {
  readonly platform: NodeJS.Platform;
  /** Where bubblewrap may be; only what the system's owner put there is started. */
  readonly bubblewrapPaths: readonly string[];
  readonly seatbeltPath: string;
  readonly isRoot: boolean;
  readonly release: string;
}

const HERE: SandboxFacts = {
  platform: process.platform,
  bubblewrapPaths: ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/run/current-system/sw/bin/bwrap'],
  seatbeltPath: '/usr/bin/sandbox-exec',
  isRoot: process.getuid?.() === 0,
  release: release(),
};

/** Asks the system once, however often it is called. */
export function sandboxFinder(facts: SandboxFacts): () => Promise<FoundSandbox> {
  let found: Promise<FoundSandbox> | null = null;
  return () => {
    found ??= lookFor(facts);
    return found;
  };
}

export const findSandbox = sandboxFinder(HERE);

async function lookFor(facts: SandboxFacts): Promise<FoundSandbox> {
  if (facts.platform === 'linux') return findBubblewrap(facts);
  if (facts.platform === 'darwin') return findSeatbelt(facts);
  return none('There is no sandbox for commands on this system; Reverie asks before it runs them.');
}

async function findBubblewrap(facts: SandboxFacts): Promise<FoundSandbox> {
  const program = facts.bubblewrapPaths.find((path) => existsSync(path));
  if (program === undefined) {
    return none(
      'Commands are not sandboxed because bubblewrap is not installed. Install it with the package manager, for example: sudo apt install bubblewrap.',
    );
  }
  if (!existsSync('/bin/bash'))
    return none('Commands are not sandboxed because /bin/bash does not exist. Install bash.');
  const known = { program, isRoot: facts.isRoot, processes: chooseProcessBound(facts) };
  const newest = bubblewrap({ ...known, forbidsNamespaces: true });
  const first = await probe(newest);
  if (first === null) return { sandbox: newest };
  const older = bubblewrap({ ...known, forbidsNamespaces: false });
  const second = await probe(older);
  if (second === null) return { sandbox: older };
  if (/unknown option/i.test(second))
    return none('Commands are not sandboxed because bubblewrap is too old. Install version 0.6 or later.');
  return none(
    `Commands are not sandboxed because this system does not let bubblewrap work (${second}). It needs user namespaces: a container has to be started with them allowed, and Ubuntu 24.04 or later needs an AppArmor profile for bwrap.`,
  );
}

async function findSeatbelt({ seatbeltPath }: SandboxFacts): Promise<FoundSandbox> {
  if (!existsSync(seatbeltPath)) return none(`Commands are not sandboxed because ${seatbeltPath} does not exist.`);
  const sandbox = seatbelt(seatbeltPath);
  const problem = await probe(sandbox);
  return problem === null ? { sandbox } : none(`Commands are not sandboxed because sandbox-exec failed (${problem}).`);
}

function none(why: string): FoundSandbox {
  return { sandbox: null, why };
}

const PROBED = 'sandboxed';
/** Starts where the sandbox has to keep things away, and looks whether it does. */
const PROBE_POLICY: SandboxPolicy = {
  cwd: '/usr/lib',
  readable: ['/usr/lib'],
  writable: [],
  protected: [],
  denied: [],
  environment: { PATH: '/usr/bin:/bin' },
};
const PROBE_SCRIPT = `! [ -w / ] && ! [ -e /sys ] && echo ${PROBED}`;

/** Null when it works, else what it said. */
async function probe(sandbox: Sandbox): Promise<string | null> {
  try {
    const output = await outputOf(sandbox.start(PROBE_SCRIPT, PROBE_POLICY));
    return output.trim() === PROBED ? null : 'the probe ran without being confined';
  } catch (error) {
    return firstLine(error);
  }
}

function outputOf({ program, args, environment }: SandboxedStart): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { env: environment, timeout: SANDBOX_BOUNDS.probeMs, killSignal: 'SIGKILL', cwd: '/' } as const;
    const child = execFile(program, [...args], options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(stderr.trim() || (error.killed ? 'it took too long' : error.message)));
    });
    child.stdin?.end();
  });
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n', 1)[0]!.slice(0, 200);
}
