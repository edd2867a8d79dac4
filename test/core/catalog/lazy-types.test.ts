import test from 'ava';
import {createServer} from '@orch-api/orch';
import {tempFolder} from '../../helpers/temp-folder.js';

test('every strategy and handler of the built-in types can be had from a running server', async (t) => {
  const server = await createServer({store: 'memory', securePort: 0, dataDir: tempFolder(t)});
  t.teardown(() => server.stop());
  await server.start();
  let strategies = 0;
  let handlers = 0;
  for (const type of server.registry!.catalog.types()) {
    if (type.strategy) strategies += 1;
    if (type.isVirtual) t.truthy(type.handler, type.qualifiedName);
    for (const version of type.versions) {
      for (const [name, {handler}] of Object.entries(version.subresources)) {
        if (handler === undefined) continue;
        handlers += 1;
        t.truthy(version.subresource(name)!.handler, `${type.qualifiedName}/${name}`);
      }
    }
  }
  t.true(strategies > 50, `${strategies} strategies`);
  t.true(handlers >= 10, `${handlers} handlers`);
});
