import test from 'ava';
import {compareRecorded} from './compare.js';
import {signatureOf, wordsOf} from './differences.js';
import {knownReasons, reasonFor} from './known/known-differences.js';
import {knownOfCases} from './known/known-of-cases.js';
import {openDifferences, recordedReleases, testedOneIn} from './recorded.js';

const met = new Set<string | undefined>();

for (const release of recordedReleases()) {
  test.serial(
    `a server of ${release} answers no more requests in another way than kube-apiserver ${release} than those that are known`,
    async (t) => {
      t.timeout(180_000);
      for (const [kind, {count, differences}] of await compareRecorded(t, release, {oneIn: testedOneIn})) {
        t.true(count >= 50, `${count} requests of ${kind}`);
        const reasons = differences.map(reasonFor);
        for (const reason of reasons) met.add(reason);
        const open = differences.filter((_one, at) => reasons[at] === undefined);
        t.log(`${kind}: ${count} requests, ${differences.length} differences, of which ${open.length} are open`);
        t.true(
          open.length <= openDifferences()[release]![kind]!,
          `npm run compare -- --release ${release} --kind ${kind} shows them:\n${open
            .slice(0, 20)
            .map((one) => `${signatureOf(one)} ${JSON.stringify(wordsOf(one))}`)
            .join('\n')}`,
        );
      }
    },
  );
}

/** Of which the one in eight requests that are sent may have none, as there are few: `npm run compare` sends them all. */
const few = new Set(knownOfCases.map(({reason}) => reason));
/** Of which they have none. */
const unsampled = [
  'Metadata alone is not shown in the binary form; clients that ask for it name JSON beside it.',
  'An empty list or map is as if it were not given; in Kubernetes it counts where nothing may be given, and to those who own what is there.',
  'What names are generated from is judged by the general rule where names have one of their own, as those of APIServices and addresses.',
  'A document that there is not can have no form but JSON; Kubernetes does not find it, whatever form is wanted.',
  'A selector of fields that the type does not have is refused in the words of one of the two places where Kubernetes refuses it.',
];

test.serial('each entry of the tables of known differences is about one that there still is', (t) => {
  t.deepEqual(
    knownReasons.filter((reason) => !met.has(reason) && !few.has(reason)),
    unsampled,
  );
});
