import { describe, expect, it } from 'vitest';
import { decideAdmission } from './guard.ts';

const server = { port: 7000, token: 'right-token' };
const headers = { host: '127.0.0.1:7000', authorization: 'Bearer right-token' };

function decide(changes: { method?: string; path?: string; headers?: Record<string, string | string[] | undefined> }) {
  const { method = 'POST', path = '/mcp' } = changes;
  return decideAdmission({ method, path, headers: { ...headers, ...changes.headers } }, server);
}

describe('who may speak to the server', () => {
  it.each([
    ['a program with the token', {}],
    ['by the name localhost', { headers: { host: 'LocalHost:7000' } }],
    ['a stream', { method: 'GET' }],
    ['the end of a session', { method: 'DELETE' }],
    ['from its own origin', { headers: { origin: 'http://localhost:7000', 'sec-fetch-site': 'same-origin' } }],
    ['typed by a person', { headers: { 'sec-fetch-site': 'none' } }],
    ['the scheme in small letters', { headers: { authorization: 'bearer right-token' } }],
  ])('admits %s', (_name, changes) => {
    expect(decide(changes)).toEqual({ kind: 'admit' });
  });

  it.each([
    ['a name that was pointed here', 403, { headers: { host: 'evil.example:7000' } }],
    ['another port of this machine', 403, { headers: { host: '127.0.0.1:7001' } }],
    ['no port', 403, { headers: { host: '127.0.0.1' } }],
    ['no host', 403, { headers: { host: undefined } }],
    ['two hosts', 403, { headers: { host: ['127.0.0.1:7000', 'evil.example'] } }],
    ['a page elsewhere', 403, { headers: { origin: 'https://evil.example' } }],
    ['a page of another local server', 403, { headers: { origin: 'http://localhost:3000' } }],
    ['a page with a hidden origin', 403, { headers: { origin: 'null' } }],
    ['an origin that begins like ours', 403, { headers: { origin: 'http://localhost:7000.evil.example' } }],
    ['a cross-site read', 403, { headers: { 'sec-fetch-site': 'cross-site' } }],
    ['a read from the same site', 403, { headers: { 'sec-fetch-site': 'same-site' } }],
    ['no token', 401, { headers: { authorization: undefined } }],
    ['a wrong token', 401, { headers: { authorization: 'Bearer wrong-token' } }],
    ['the beginning of the token', 401, { headers: { authorization: 'Bearer right' } }],
    ['the token and more', 401, { headers: { authorization: 'Bearer right-token2' } }],
    ['another scheme', 401, { headers: { authorization: 'Basic right-token' } }],
    ['another path', 404, { path: '/' }],
    ['a path that begins like ours', 404, { path: '/mcp/../x' }],
    ['a preflight', 405, { method: 'OPTIONS' }],
    ['another method', 405, { method: 'PUT' }],
  ])('refuses %s', (_name, status, changes) => {
    expect(decide(changes)).toMatchObject({ kind: 'refuse', status });
  });
});
