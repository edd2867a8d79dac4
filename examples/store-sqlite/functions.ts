import {definePlugin, defineStore} from '@orch-api/orch/sdk';
import {SqliteStoreProvider} from './plugin.js';

/** The same without a manifest file: `create` may return any object with `open`. */
export default definePlugin({name: 'sqlite'}, [defineStore({schemes: ['sqlite'], create: () => new SqliteStoreProvider()})]);
