import test from 'ava';
import {podWarnings} from '../../../../plugins/families/pods/pod-warnings.js';
import {FieldPath} from '../../../../sdk/index.js';
import type {PodSpec} from '../../../../sdk/types/unchecked/core/v1.js';
import {kubernetes} from '../../../../core/api/naming/kubernetes.js';

const many = 30_000;
const times = <T>(make: (index: number) => T) => Array.from({length: many}, (_, index) => make(index));
const rules = {naming: kubernetes, gates: {enabled: () => true}};

/** Lists as long as a request can have them, in which each item goes with all others. */
const cases: Readonly<Record<string, PodSpec>> = {
  'ports of a container': {containers: [{name: 'a', ports: times(() => ({containerPort: 80, protocol: 'TCP'}))}]},
  'files of a volume': {containers: [], volumes: [{name: 'v', configMap: {name: 'c', items: times(() => ({key: 'k', path: 'a'}))}}]},
  'variables of a container': {containers: [{name: 'a', env: times(() => ({name: 'A', value: 'b'}))}]},
  'addresses of hosts': {containers: [], hostAliases: times(() => ({ip: '010.0.0.1'}))},
};

for (const [list, spec] of Object.entries(cases)) {
  test(`of ${many} ${list} that are equal the first hundred warnings are given, and no others looked for`, (t) => {
    t.is(podWarnings({metadata: {}, spec}, FieldPath.root, rules).length, 100);
  });
}

test('files of very many that stand side by side are not all compared, and a path of slashes is no work', (t) => {
  const items = [{key: 'k', path: `${'/'.repeat(500_000)}a`}, ...times((index) => ({key: 'k', path: `f${index}`}))];
  t.deepEqual(podWarnings({spec: {containers: [], volumes: [{name: 'v', secret: {items}}]}}, FieldPath.root, rules), []);
});
