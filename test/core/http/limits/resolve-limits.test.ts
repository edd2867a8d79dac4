import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'ava';
import {limitDefinitions} from '../../../../core/http/limits/http-limits.js';
import type {LimitDefinition} from '../../../../core/http/limits/limit.js';
import {limitFlag} from '../../../../core/http/limits/limit-flag.js';
import {resolveLimits} from '../../../../core/http/limits/resolve-limits.js';
import {limitFlags} from '../../../../core/options/flags/limit-flags.js';
import {projectRoot} from '../../../helpers/project-root.js';

const mebi = 1024 * 1024;
const definitions = Object.entries<LimitDefinition>(limitDefinitions);

test('sizes, durations and counts are read in the ways that they are written', (t) => {
  const {maxHeaderBytes, handshakeTimeout, maxConnections} = resolveLimits({
    maxHeaderBytes: '128Ki',
    handshakeTimeout: '1m30s',
    maxConnections: 77,
  });
  t.deepEqual([maxHeaderBytes, handshakeTimeout, maxConnections], [131_072, 90_000, 77]);
  t.is(resolveLimits({maxHeaderBytes: 5000}).maxHeaderBytes, 5000);
  t.is(resolveLimits({maxHeaderBytes: '5k'}).maxHeaderBytes, 5000);
});

test('a limit that is none, or a value that is none, is refused in one sentence', (t) => {
  t.throws(() => resolveLimits({maxHeader: 3} as never), {message: /^there is no limit "maxHeader"; there are maxConnections, /});
  const cases: [Parameters<typeof resolveLimits>[0], RegExp][] = [
    [{maxConnections: 0}, /^the limit maxConnections \(--max-connections\) takes a whole number of at least 10, as 500, and not 0$/],
    [{maxConnections: 1.5}, /and not 1\.5$/],
    [{maxHeaderBytes: '64KB'}, /takes a whole number of at least 1Ki, as 64Ki, and not "64KB"$/],
    [{maxHeaderBytes: '1'}, /at least 1Ki/],
    [{handshakeTimeout: 30}, /^the limit handshakeTimeout \(--handshake-timeout\) takes a duration of at least 100ms, as 30s, and not 30$/],
    [{handshakeTimeout: '1ms'}, /at least 100ms/],
  ];
  for (const [settings, message] of cases) t.throws(() => resolveLimits(settings), {message});
});

test('defaults that depend on memory stay within their bounds', (t) => {
  t.is(resolveLimits({}, 300 * mebi).maxConnections, 2400);
  t.is(resolveLimits({}, 300 * mebi).maxConnectionsPerAddress, 1800);
  t.is(resolveLimits({}, 20 * mebi).maxConnections, 1000);
  t.is(resolveLimits({}, 64 * 1024 * mebi).maxConnections, 20_000);
});

test('every default is at least the minimum', (t) => {
  for (const heap of [16, 300, 4096, 65_536]) {
    const limits = resolveLimits({}, heap * mebi) as Readonly<Record<string, number>>;
    for (const [name, {minimum}] of definitions) t.true(limits[name]! >= minimum, name);
  }
});

test('every limit has a flag with its default, a member in the schema of the configuration file, and a row in the documentation', (t) => {
  const schema = JSON.parse(readFileSync(join(projectRoot(), 'core/options/configuration.schema.json'), 'utf8')) as {
    properties: {limits: {properties: Record<string, {$ref: string}>}};
  };
  const kinds = {count: 'count', bytes: 'size', 'bytes per second': 'size', duration: 'duration'};
  t.deepEqual(
    Object.fromEntries(Object.entries(schema.properties.limits.properties).map(([name, {$ref}]) => [name, $ref])),
    Object.fromEntries(definitions.map(([name, {unit}]) => [name, `#/definitions/${kinds[unit]}`])),
  );
  t.deepEqual(
    limitFlags.map(({name, default: text}) => [name, text]),
    definitions.map(([name, {defaultText}]) => [limitFlag(name), defaultText]),
  );
  const documentation = readFileSync(join(projectRoot(), 'docs/operations/limits.md'), 'utf8');
  for (const [name, {defaultText, description}] of definitions) {
    t.true(documentation.includes(`| \`--${limitFlag(name)}\` | ${defaultText} | ${description} |`), `docs/operations/limits.md: ${name}`);
  }
});
