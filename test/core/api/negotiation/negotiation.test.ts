import test from 'ava';
import fc from 'fast-check';
import {StatusError} from '../../../../sdk/index.js';
import {parseAccept} from '../../../../core/api/negotiation/accept.js';
import {requireContentType} from '../../../../core/api/negotiation/content-type.js';
import {parseMediaType} from '../../../../core/api/negotiation/media-type.js';
import {negotiate, offerText, type MediaOffer} from '../../../../core/api/negotiation/negotiate.js';
import {checkProperty} from '../seeded.js';

const json = {mediaType: 'application/json'};
const yaml = {mediaType: 'application/yaml'};
const protobuf = {mediaType: 'application/vnd.kubernetes.protobuf'};
const tableV1 = {mediaType: 'application/json', as: 'Table', group: 'meta.k8s.io', version: 'v1'};
const tableV1beta1 = {...tableV1, version: 'v1beta1'};
const metadata = {mediaType: 'application/json', as: 'PartialObjectMetadataList', group: 'meta.k8s.io', version: 'v1'};
const builtIn: MediaOffer[] = [json, yaml, protobuf, tableV1, tableV1beta1, metadata];
const withoutTable: MediaOffer[] = [json, yaml];
const watch: MediaOffer[] = [
  {...json, stream: true},
  {...protobuf, stream: true},
  {...tableV1, stream: true},
];

const kubectlGet = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json';

const examples: [header: string | undefined, offers: MediaOffer[], chosen: MediaOffer | undefined][] = [
  [undefined, builtIn, json],
  ['', builtIn, json],
  ['application/json', builtIn, json],
  ['APPLICATION/JSON', builtIn, json],
  ['*/*', builtIn, json],
  ['application/*', builtIn, json],
  ['application/*, application/yaml', builtIn, json],
  ['text/*', builtIn, undefined],
  ['app/*', builtIn, undefined],
  ['*/json', builtIn, undefined],
  ['text/html', builtIn, undefined],
  ['text/html, */*;q=0.1', builtIn, json],
  ['application/json;q=0.5, application/yaml', builtIn, yaml],
  // As in Kubernetes, the least wanted form is still one.
  ['application/json;q=0', builtIn, json],
  ['application/yaml;q=0.3,application/json;q=0.3', builtIn, yaml],
  ['application/vnd.kubernetes.protobuf,application/json', builtIn, protobuf],
  ['application/vnd.kubernetes.protobuf,application/json', withoutTable, json],
  ['application/vnd.kubernetes.protobuf', withoutTable, undefined],
  ['application/json;charset=utf-8', builtIn, json],
  ['application/json;pretty=1', builtIn, json],
  [kubectlGet, builtIn, tableV1],
  [kubectlGet, withoutTable, json],
  [kubectlGet, [json, tableV1beta1], tableV1beta1],
  ['application/json;as=Table;g=meta.k8s.io;v=v1', builtIn, tableV1],
  ['application/json;as=Table;g=meta.k8s.io;v=v1', withoutTable, undefined],
  ['application/json;as=Table;g=meta.orch;v=v1', builtIn, undefined],
  ['application/json;as=Table;g=meta.k8s.io;v=v2', builtIn, undefined],
  ['application/json;as=Table', builtIn, undefined],
  ['application/json; as="PartialObjectMetadataList"; g=meta.k8s.io; v=v1', builtIn, metadata],
  ['*/*;as=Table;g=meta.k8s.io;v=v1', builtIn, tableV1],
  ['application/json;stream=watch', watch, watch[0]],
  ['application/vnd.kubernetes.protobuf;stream=watch', watch, watch[1]],
  ['application/json;as=Table;v=v1;g=meta.k8s.io;stream=watch', watch, watch[2]],
  ['application/json', watch, watch[0]],
  ['application/json;stream=watch', builtIn, undefined],
  ['application/json;stream=other', watch, undefined],
  [';;, ,application/json', builtIn, json],
  ['application/json;q=high', builtIn, json],
];
for (const [header, offers, chosen] of examples) {
  test(`Accept ${header ?? '(none)'} among ${offers.length} offers is answered with ${chosen ? offerText(chosen) : '406'} [A-NEG-14]`, (t) => {
    t.is(negotiate(header, offers)?.offer, chosen);
  });
}

test('the parameters of the deciding clause are handed over', (t) => {
  const chosen = negotiate('application/yaml;pretty=1;q=0.1, application/json;pretty=1;q=0.9;extra="a,b;c"', builtIn);
  t.is(chosen?.offer, json);
  t.true(chosen?.pretty);
  t.deepEqual(
    [...chosen!.parameters],
    [
      ['pretty', '1'],
      ['extra', 'a,b;c'],
    ],
  );
  t.false(negotiate('application/json', builtIn)!.pretty);
});

test('an offer is written with its transformation', (t) => {
  t.is(offerText(json), 'application/json');
  t.is(offerText(tableV1), 'application/json;as=Table;v=v1;g=meta.k8s.io');
});

test('clauses come by quality, equal ones in their order', (t) => {
  t.deepEqual(
    parseAccept('a/a;q=0.5, b/b, c/c;q=0.500, d/d;q=2').map(({essence}) => essence),
    ['b/b', 'd/d', 'a/a', 'c/c'],
  );
});

test('media types are read with quotes, blanks and any case', (t) => {
  const read = (text: string) => {
    const mediaType = parseMediaType(text);
    return mediaType && [mediaType.essence, ...mediaType.parameters].flat();
  };
  t.deepEqual(read(' Application/JSON ; Charset="UTF-8" ; a = b;;'), ['application/json', 'charset', 'UTF-8', 'a', 'b']);
  t.deepEqual(read('a/b;x="q\\"uo\\\\te"'), ['a/b', 'x', 'q"uo\\te']);
  t.deepEqual(read('a/b;x=1;x=2;__proto__=3'), ['a/b', 'x', '1', '__proto__', '3']);
  for (const bad of ['', 'a', 'a/', '/b', 'a/b/c', 'a b/c', 'a/b;x', 'a/b;x="y', 'a/b x=1']) t.is(read(bad), undefined, bad);
});

test('any header is negotiated without an error and in little time', (t) => {
  const piece = fc.constantFrom(
    'application/json',
    '*/*',
    ',',
    ';',
    '=',
    'q',
    'as',
    '"',
    '\\',
    ' ',
    '0.5',
    'Table',
    'ü',
    '/',
    '*',
    '__proto__',
  );
  checkProperty(
    t,
    fc.property(fc.array(piece, {maxLength: 20}), (pieces) => {
      t.notThrows(() => negotiate(pieces.join(''), builtIn));
    }),
    3000,
  );
  const started = performance.now();
  for (const header of [
    'a/b;'.repeat(20_000),
    '"'.repeat(60_000),
    `a/b;x="${'\\'.repeat(60_000)}`,
    ','.repeat(60_000),
    ' '.repeat(60_000),
    `a/b${' '.repeat(60_000)}x`,
    `a/b;${' '.repeat(60_000)}`,
    `a/b;x=${' '.repeat(30_000)}"`,
  ])
    negotiate(header, builtIn);
  t.true(performance.now() - started < 2000, `${performance.now() - started}`);
});

test('a body without Content-Type has the first type, other ones are answered 415', (t) => {
  const supported = ['application/json', 'application/yaml'];
  t.is(requireContentType(undefined, supported).essence, 'application/json');
  t.is(requireContentType(' ', supported).essence, 'application/json');
  t.is(requireContentType('Application/YAML; charset="UTF-8"', supported).essence, 'application/yaml');
  for (const bad of ['text/plain', 'application/json; charset=iso-8859-1', 'nonsense', 'application/json; charset', 'application/*']) {
    const error = t.throws(() => requireContentType(bad, supported), {instanceOf: StatusError});
    t.is(error.code, 415);
    t.true(error.message.includes('accepted media types include: application/json, application/yaml'), error.message);
  }
});
