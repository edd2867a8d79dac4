import {join} from 'node:path';
import test from 'ava';
import {projectRoot} from '../helpers/project-root.js';
import {fileTree} from '../helpers/run-script.js';

interface Graph {
  readonly tests: readonly string[];
  fastTests(): string[];
  testsOf(changed: readonly string[]): string[];
}

async function graphOf(t: Parameters<typeof fileTree>[0], files: Record<string, string>): Promise<Graph> {
  const {TestGraph} = (await import(join(projectRoot(), 'scripts/test-graph.mjs'))) as {TestGraph: new (out: string) => Graph};
  return new TestGraph(fileTree(t, files));
}

const files = {
  'core/api/patch.js': "import './value.js';\n",
  'core/api/value.js': '',
  'core/http/body.js': "export * from '../api/patch.js';\n",
  'core/server/create-server.js': "import '../http/body.js';\n",
  'test/helpers/server.js': "export const start = () => import('../../core/server/create-server.js');\n",
  'test/core/api/patch.test.js': "import '../../../core/api/patch.js';\n",
  'test/core/http/body.test.js': "import '../../../core/http/body.js';\n",
  'test/core/http/other.test.js': "import '../../../core/api/value.js';\nimport '../../../core/http/body.js';\n",
  'test/semantics/patches.test.js': "import {start} from '../helpers/server.js';\n",
  'test/scripts/run.test.js': "import {spawn} from 'node:child_process';\n",
};

test('tests that start servers or programs, directly or through a helper, are not fast', async (t) => {
  const graph = await graphOf(t, files);
  t.is(graph.tests.length, 5);
  t.deepEqual(graph.fastTests(), ['test/core/api/patch.test.js', 'test/core/http/body.test.js', 'test/core/http/other.test.js']);
});

test('tests of a file are those that reach it: first those beside it, then by the number of imports', async (t) => {
  const graph = await graphOf(t, files);
  t.deepEqual(graph.testsOf(['core/api/value.js']), [
    'test/core/api/patch.test.js',
    'test/core/http/other.test.js',
    'test/core/http/body.test.js',
    'test/semantics/patches.test.js',
  ]);
  t.deepEqual(graph.testsOf(['test/scripts/run.test.js']), ['test/scripts/run.test.js']);
  t.deepEqual(graph.testsOf(['core/none.js']), []);
});

test('what tests import by the name of the package is the file that it stands for', async (t) => {
  const graph = await graphOf(t, {
    'core/server/create-server.js': '',
    'core/server/index.js': "export * from './create-server.js';\n",
    'sdk/index.js': '',
    'testing/index.js': "export * from '../core/server/index.js';\n",
    'plugins/stores/embedded/plugin.js': "import '../../../sdk/index.js';\n",
    'test/semantics/verbs.test.js': "import '@orch-api/orch/testing';\n",
    'test/plugins/stores/store.test.js': "import '#bundle/plugins/stores/embedded/plugin.js';\n",
    'test/sdk/errors.test.js': "import '@orch-api/orch/sdk';\n",
  });
  t.deepEqual(graph.fastTests(), ['test/plugins/stores/store.test.js', 'test/sdk/errors.test.js']);
  t.deepEqual(graph.testsOf(['core/server/create-server.js']), ['test/semantics/verbs.test.js']);
  t.deepEqual(graph.testsOf(['sdk/index.js']), ['test/sdk/errors.test.js', 'test/plugins/stores/store.test.js']);
});
