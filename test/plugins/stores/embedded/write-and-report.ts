import {openEmbedded} from '../../../helpers/store-embedded.js';

// 1,000 writers at once create, update and delete a key of their own, over and over. Every answered write is printed
// before anything else happens: `KEY REVISION EXPECTED VALUE`, where the value of a deletion is `-`.
const [dataDir = '', round = ''] = process.argv.slice(2);
const store = await openEmbedded(dataDir);
process.stdout.write('opened\n');
await Promise.all(
  Array.from({length: 1000}, async (_, writer) => {
    const key = `w${writer}`;
    let expected = (await store.read('things', key))?.revision ?? 0;
    for (let step = 0; ; step++) {
      const text = `${round}:${writer}:${step}:${'x'.repeat((writer * 37 + step) % 3000)}`;
      const value = expected !== 0 && (writer + step) % 5 === 0 ? null : Buffer.from(text);
      const revision = await store.commit({type: 'things', key, expected, value});
      process.stdout.write(`${key} ${revision} ${expected} ${value === null ? '-' : text}\n`);
      expected = value === null ? 0 : revision;
    }
  }),
);
