import {brotliDecompressSync} from 'node:zlib';
import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {askRaw} from './ask-raw.js';

const policyParts = ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"];

const start = (flags: Record<string, unknown> = {}) => startTestServer({enableConsole: true, flags});

test('there is nothing below /console/ unless the console is enabled', async (t) => {
  await using server = await startTestServer();
  t.is((await server.client.get('/console/')).status, 404);
  t.is((await server.client.post('/console/links', undefined)).status, 404);
});

test('the page is answered without credentials, whatever lies below /console/, under a strict policy', async (t) => {
  await using server = await start({'anonymous-auth': false});
  const moved = await server.client.get('/console', {anonymous: true});
  t.is(moved.status, 308);
  t.is(moved.headers.location, '/console/');
  for (const path of ['/console/', '/console/objects/core/configmaps?namespace=shop', '/console/object/core/configmaps/shop/settings']) {
    const page = await server.client.get(path, {anonymous: true});
    t.is(page.status, 200, path);
    t.is(page.headers['content-type'], 'text/html; charset=utf-8');
    for (const part of policyParts) t.true(String(page.headers['content-security-policy']).includes(part), part);
    t.is(page.headers['x-content-type-options'], 'nosniff');
    t.is(page.headers['referrer-policy'], 'no-referrer');
    t.is(page.headers['x-frame-options'], 'DENY');
    t.is(page.headers['cache-control'], 'no-cache');
    t.notRegex(page.body.toString(), /<script(?![^>]* src=)|<style|\son\w+=|style=/, 'nothing is inline');
  }
});

test('files of the page may be kept for ever, compressed or not, and the page is asked for again', async (t) => {
  await using server = await start();
  const page = await server.client.get('/console/', {anonymous: true});
  const files = [...page.body.toString().matchAll(/(?:src|href)="(\/console\/[^"]+)"/g)].map(([, path]) => path!);
  t.is(files.length, 4);
  for (const path of files) {
    t.regex(path, /^\/console\/assets\/\w+-[\w-]{8}\.(?:js|css|svg)$/);
    const plain = await server.client.get(path, {anonymous: true});
    t.is(plain.headers['cache-control'], 'public, max-age=31536000, immutable');
    const compressed = await server.client.get(path, {anonymous: true, headers: {'accept-encoding': 'gzip, br'}});
    t.is(compressed.headers['content-encoding'], 'br');
    t.deepEqual(brotliDecompressSync(compressed.body), plain.body);
    const refused = await server.client.get(path, {anonymous: true, headers: {'accept-encoding': 'br;q=0, gzip'}});
    t.is(refused.headers['content-encoding'], undefined);
  }
  const headers = {'if-none-match': String(page.headers.etag)};
  t.is((await server.client.get('/console/', {anonymous: true, headers})).status, 304);
});

test('no path leads out of the table of files', async (t) => {
  await using server = await start();
  const paths = [
    '/console/assets/../table.json',
    '/console/assets/..%2ftable.json',
    '/console/assets/%2e%2e/table.json',
    '/console/../../etc/passwd',
    '/console/assets/..\\..\\plugin.json',
    '/console/assets/table.json',
    '/console/assets/NOTICES.txt',
    '/console/assets/index.html.br',
    '/console/assets//etc/passwd',
    '/console/assets/constructor',
    '/console/assets/%00',
  ];
  for (const path of paths) {
    const {status, body} = await askRaw(server, 'GET', path);
    t.true(status === 404 || status === 400, `${path}: ${status}`);
    t.notRegex(body, /root:|"tag"|licen/i, path);
  }
  // What is not below the files is the page, which says itself that it knows no such address.
  const page = await askRaw(server, 'GET', '/console/table.json');
  t.regex(page.body, /^<!doctype html>/);
});

test('the console is answered under addresses and known names only', async (t) => {
  await using server = await start({'console-hosts': ['console.example.com']});
  const {port} = new URL(server.url);
  const asked = (host: string) => askRaw(server, 'GET', '/console/', {host});
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, 'console.example.com', `CONSOLE.example.com:${port}`])
    t.is((await asked(host)).status, 200, host);
  for (const host of [
    `evil.example.com:${port}`,
    'localhost.evil.example.com',
    '127.0.0.1.evil.example.com',
    'a@127.0.0.1',
    '127.0.0.1/x',
    'x y',
  ]) {
    const {status, body} = await asked(host);
    t.true(status === 421 || status === 400, `${host}: ${status}`);
    t.notRegex(body, /<!doctype/, host);
  }
});

test('the page knows the names of the platform, and who asks', async (t) => {
  await using server = await startTestServer({enableConsole: true, platform: 'kubernetes', release: '1.36'});
  const facts = await server.client.get('/console/facts.json', {anonymous: true});
  t.like(facts.json(), {platform: 'kubernetes', groupSuffix: 'k8s.io', release: '1.36'});
  t.is(facts.headers['cache-control'], 'no-store');
  t.like((await server.client.get('/console/user')).json(), {username: 'kubernetes-admin'});
  t.like((await server.client.get('/console/user', {anonymous: true})).json(), {username: 'system:anonymous'});
});
