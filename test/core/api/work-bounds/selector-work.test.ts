import test from 'ava';
import {maximumTerms, parseFieldSelector} from '../../../../core/api/selectors/field-selector.js';
import {parseLabelSelector} from '../../../../core/api/selectors/label-selector.js';
import {maximumTokens} from '../../../../core/api/selectors/label-lexer.js';
import {checkWork, listBy, repeated, type Work} from './measure-work.js';

/** The line of a request with its query may be that long where the client shows a certificate. */
const largest = 1024 * 1024;
const labels = Object.fromEntries(Array.from({length: 10}, (_, index) => [`own${index}`, String(index)]));
const objects = Array.from({length: 2000}, (_, index) => ({
  labels: {...labels, index: String(index)},
  fields: {'metadata.name': `n${index}`},
}));

function byLabels(name: string, text: (bytes: number) => string): Work {
  return {
    name,
    largest,
    prepare: (bytes) => {
      const selector = text(bytes);
      return () => {
        const parsed = parseLabelSelector(selector);
        return `${objects.filter((object) => parsed.matches(object.labels)).length} match`;
      };
    },
  };
}

/** As many parts as a selector may have, or as fit. */
const most = 12_000;
const joined = (each: number, make: (index: number) => string) => (bytes: number) =>
  listBy(Math.min(bytes, most * each), each, make).join();

test.serial('selecting by labels takes time as the selector is long and as there are objects, not as both multiplied', async (t) => {
  await checkWork(t, [
    byLabels(
      'labels that must not be there',
      joined(8, (index) => `!k${index}`),
    ),
    byLabels('labels of which one is missing at the end', (bytes) => `${repeated(Math.min(bytes, 5 * most), 'own1,')}k`),
    byLabels(
      'values that are not allowed',
      joined(9, (index) => `k${index}!=v`),
    ),
    byLabels(
      'values of one label that are not allowed, each by itself',
      joined(16, (index) => `index!=v${index}`),
    ),
    byLabels('many values that are not allowed', (bytes) => `index notin (${joined(8, (index) => `v${index}`)(bytes)})`),
    byLabels('many values that are allowed', (bytes) => `index in (${joined(8, (index) => `v${index}`)(bytes)},7)`),
    byLabels('the same again and again', (bytes) => `${repeated(Math.min(bytes, 4000 * 19), 'own1 notin (a,b,c),')}own2`),
    byLabels(
      'bounds of one label',
      joined(9, (index) => `own9<${index + 100}`),
    ),
  ]);
});

test.serial('selecting by fields takes time as the selector is long and as there are objects, not as both multiplied', async (t) => {
  const byFields = (name: string, text: (bytes: number) => string): Work => ({
    name,
    largest,
    prepare: (bytes) => {
      const selector = text(bytes);
      return () => {
        const parsed = parseFieldSelector(selector);
        return `${objects.filter((object) => parsed.matches(object.fields)).length} match`;
      };
    },
  });
  await checkWork(t, [
    byFields('one value again and again', (bytes) => `${repeated(Math.min(bytes, 9000 * 17), 'metadata.name!=x,')}metadata.name!=y`),
    byFields('values that are not wanted', (bytes) => listBy(Math.min(bytes, 9000 * 22), 22, (index) => `metadata.name!=x${index}`).join()),
    byFields(
      'one value that is wanted again and again',
      (bytes) => `${repeated(Math.min(bytes, 9000 * 17), 'metadata.name=n7,')}metadata.name=n7`,
    ),
  ]);
});

test('a selector of more parts than are allowed is refused', (t) => {
  t.like(
    t.throws(() => parseLabelSelector(repeated(maximumTokens + 10, 'a,'))),
    {code: 400, message: `the label selector has more than ${maximumTokens} words and symbols`},
  );
  t.like(
    t.throws(() => parseFieldSelector('a=b,'.repeat(maximumTerms))),
    {code: 400, message: `the field selector has more than ${maximumTerms} terms`},
  );
  t.notThrows(() => parseLabelSelector(`a in (${'b,'.repeat(maximumTokens / 2 - 10)}c)`));
});
