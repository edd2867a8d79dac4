import test from 'ava';
import {Random} from '../../../test/helpers/random.js';
import {readCorpus} from '../corpus-entry.js';
import {LargeCases} from './large-cases.js';

const corpus = readCorpus('1.26');

test('lists, maps and texts of every built-in type and of a custom one are made large, each before any is again', (t) => {
  const cases = new LargeCases(corpus, '1.26', new Random(1));
  const names = new Set<string>();
  let largest = 0;
  for (let count = 0; count < 300; count++) {
    const large = cases.next('home');
    names.add(large.name.replace(/^[a-z ]+: /, ''));
    for (const {body} of large.requests('one')) largest = Math.max(largest, body?.length ?? 0);
  }
  t.is(names.size, 300);
  t.true(largest > 2_000_000);
  t.true(cases.count > 1500, String(cases.count));
  for (const place of [/^list Endpoints/, /^map ConfigMap/, /^text /, /^list Giant/]) t.true(placesOf(place), String(place));

  function placesOf(place: RegExp): boolean {
    for (let count = 300; count < cases.count && ![...names].some((name) => place.test(name)); count++)
      names.add(cases.next('home').name.replace(/^[a-z ]+: /, ''));
    return [...names].some((name) => place.test(name));
  }
});

test('a seed always makes the same large requests', (t) => {
  const of = () => {
    const cases = new LargeCases(corpus, '1.26', new Random(7));
    return Array.from({length: 5}, () =>
      cases
        .next('home')
        .requests('one')
        .map(({method, path, body}) => `${method} ${path} ${body?.length}`),
    );
  };
  t.deepEqual(of(), of());
});
