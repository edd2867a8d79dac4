import {openEmbedded} from '../../../helpers/store-embedded.js';

// Opens the store of a data directory, says how that went, and holds it until a line comes or it is killed.
try {
  const store = await openEmbedded(process.argv[2]!);
  await store.commit({type: 'owners', key: `p${process.pid}`, expected: 0, value: Buffer.from('x')});
  process.stdout.write('opened\n');
  const release = async () => {
    await store.close();
    process.stdin.destroy();
  };
  process.stdin.once('data', () => void release());
} catch (error) {
  process.stdout.write(`refused ${(error as Error).message}\n`);
  process.stdin.destroy();
}
