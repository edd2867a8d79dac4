import {EmbeddedStoreProvider} from '../../../../plugins/stores/embedded/plugin.js';
import {strictLogger} from '../../../helpers/store-embedded.js';

// Writes the file of the store of a data directory anew, again and again, and says each time how that went, until it is killed.
const provider = new EmbeddedStoreProvider(strictLogger());
for (;;) {
  try {
    await provider.rewrite({url: 'embedded', dataDir: process.argv[2]!, historyMillis: 300_000});
    process.stdout.write('rewritten\n');
  } catch (error) {
    process.stdout.write(`refused ${(error as Error).message}\n`);
  }
}
