/**
 * A mailbox that listens on a socket, for another session of the same user. Sockets lie in one folder that only the user
 * can enter; whoever connects shows the token beside the socket, and what is sent is sealed like every other message.
 */

import { randomBytes, timingSafeEqual } from 'node:crypto';
import * as fs from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { basename, dirname, join, resolve } from 'node:path';
import { isObject, messageOf } from '../base/values.ts';
import { realPath } from '../disk/disk.ts';
import type { Folder } from '../disk/folder.ts';
import { homeLayout } from '../disk/home.ts';
import { storageError } from '../disk/storage-error.ts';
import { ReverieError } from '../errors.ts';
import { claimedEnvelope, openBatch } from './batch.ts';
import { checkName, MESSAGE_LIMITS, openPrivateFolder } from './layout.ts';
import { keyOf, type OwnName } from './names.ts';
import { storeBatch } from './outbox.ts';

const PREFIX = 'uds:';
const SOCKET_SUFFIX = '.sock';
const TOKEN_SUFFIX = '.token';
/** What the systems allow for the path of a socket. */
const PATH_BYTES = 103;
/** Base64 and the rest of the line. */
const MOST_BYTES = 2 * MESSAGE_LIMITS.fileBytes;
const PATIENCE_MS = 10_000;

export function isSocketAddress(to: string): boolean {
  return typeof to === 'string' && to.startsWith(PREFIX);
}

export interface SocketTarget {
  readonly name: string;
  readonly path: string;
  readonly token: string;
}

export interface MailSocket {
  readonly address: string;
  close(): Promise<void>;
}

function socketFolder(home: string): string {
  const folder = openPrivateFolder(homeLayout(home).sockets);
  folder.close();
  return realPath(folder.path) ?? folder.path;
}

/** Checks where the address leads before anything is opened there. */
export function findSocket(home: string, address: string): SocketTarget {
  const folder = socketFolder(home);
  const path = resolve(address.slice(PREFIX.length));
  const refused = (reason: string) =>
    new ReverieError({
      code: 'refused',
      message: `${address} was refused: ${reason}`,
      fix: `Sockets of agents are in ${folder}.`,
    });
  if (realPath(dirname(path)) !== folder || !path.endsWith(SOCKET_SUFFIX))
    throw refused('it is not a socket in your own folder');
  const facts = fs.lstatSync(path, { throwIfNoEntry: false });
  if (facts === undefined) throw refused('nobody listens there');
  if (!facts.isSocket()) throw refused('it is not a socket');
  if (process.getuid !== undefined && facts.uid !== process.getuid()) throw refused('it belongs to another user');
  const name = checkName(basename(path, SOCKET_SUFFIX));
  return { name, path: join(folder, basename(path)), token: readToken(folder, name) };
}

function readToken(folder: string, name: string): string {
  const path = join(folder, name + TOKEN_SUFFIX);
  try {
    const fd = fs.openSync(path, fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0));
    try {
      return fs.readFileSync(fd, 'utf8');
    } finally {
      fs.closeSync(fd);
    }
  } catch (error) {
    throw storageError({ path, doing: 'read', error });
  }
}

/** Resolves when the other side has stored the file. */
export function sendOverSocket({ path, token }: SocketTarget, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (reason: string) =>
      reject(
        new ReverieError({
          code: 'refused',
          message: `The message was not taken: ${reason}`,
          fix: 'Look who is here: reverie messages',
        }),
      );
    const socket = connect(path);
    let answer = '';
    socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error('no answer')));
    socket.setEncoding('utf8').on('data', (text: string) => {
      answer += text;
    });
    socket.on('error', (error) => failed(messageOf(error)));
    socket.on('close', () =>
      answer === 'stored\n' ? resolve() : failed(answer.trim().slice(0, 200) || 'the connection ended'),
    );
    socket.end(`${JSON.stringify({ token, file: bytes.toString('base64') })}\n`);
  });
}

/** Listens for whoever holds the token. The name is ours, so that a socket of an earlier process can be replaced. */
export async function listenOnSocket(facts: {
  readonly root: Folder;
  readonly home: string;
  readonly own: OwnName;
}): Promise<MailSocket> {
  const folder = socketFolder(facts.home);
  const path = join(folder, facts.own.name + SOCKET_SUFFIX);
  if (Buffer.byteLength(path) > PATH_BYTES) {
    throw new ReverieError({
      code: 'usage',
      message: `${path} is too long for a socket`,
      fix: 'Use a shorter name or home.',
    });
  }
  const token = randomBytes(32).toString('hex');
  const tokenPath = join(folder, facts.own.name + TOKEN_SUFFIX);
  for (const each of [path, tokenPath]) fs.rmSync(each, { force: true });
  fs.writeFileSync(tokenPath, token, { flag: 'wx', mode: 0o600 });
  // Half open, so that the answer can follow the end of what was sent.
  const server = createServer({ allowHalfOpen: true }, (socket) => serve(socket, { ...facts, token }));
  await listening(server, path);
  fs.chmodSync(path, 0o600);
  return {
    address: PREFIX + path,
    async close() {
      for (const each of [path, tokenPath]) fs.rmSync(each, { force: true });
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}

function listening(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(storageError({ path, doing: 'listen on', error })));
    server.listen(path, () => resolve());
  });
}

interface Serving {
  readonly root: Folder;
  readonly own: OwnName;
  readonly token: string;
}

function serve(socket: Socket, serving: Serving): void {
  const chunks: Buffer[] = [];
  let size = 0;
  socket.setTimeout(PATIENCE_MS, () => socket.destroy());
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > MOST_BYTES) socket.destroy();
    else chunks.push(chunk);
  });
  socket.on('end', () => {
    take(Buffer.concat(chunks).toString('utf8'), serving).then(
      (answer) => socket.end(`${answer}\n`),
      (error) => socket.end(`${messageOf(error)}\n`),
    );
  });
}

/** `stored`, or why not. */
async function take(line: string, { root, own, token }: Serving): Promise<string> {
  const request = parsed(line);
  if (request === null || !isSame(request.token, token)) return 'the token is wrong';
  const bytes = Buffer.from(typeof request.file === 'string' ? request.file : '', 'base64');
  const envelope = claimedEnvelope(bytes);
  if (envelope === null || envelope.to !== own.name) return 'it is not for this agent';
  checkName(envelope.from);
  const opened = openBatch(bytes, envelope, keyOf(root, envelope.from));
  if (opened.kind === 'refused') return opened.reason;
  await storeBatch(own.box, { envelope, bytes });
  return 'stored';
}

function parsed(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isSame(given: unknown, token: string): boolean {
  const bytes = Buffer.from(typeof given === 'string' ? given : '');
  return bytes.length === token.length && timingSafeEqual(bytes, Buffer.from(token));
}
