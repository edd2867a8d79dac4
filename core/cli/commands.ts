import type {Command} from './command.js';

/** All commands, in the order in which help lists them. */
export const commands: readonly Command[] = [
  {words: ['serve'], parameters: '[FLAGS]', summary: 'Start the API server', load: () => import('./serve.js')},
  {
    words: ['plugins', 'list'],
    parameters: '[FLAGS]',
    summary: 'List the plugins and whether they take part',
    load: () => import('./plugins-list.js'),
  },
  {
    words: ['plugins', 'check'],
    parameters: '[PATH…]',
    summary: 'Check manifests, schemas and entry modules of plugins',
    load: () => import('./plugins-check.js'),
  },
  {
    words: ['plugins', 'add'],
    parameters: 'PLUGIN [FLAGS]',
    summary: 'Check a plugin, install it and put it into the configuration file',
    load: () => import('./plugins-add.js'),
  },
  {
    words: ['plugins', 'upgrade'],
    parameters: 'NAME [PLUGIN] [FLAGS]',
    summary: 'Put another version of a plugin in its place, and migrate its settings',
    load: () => import('./plugins-upgrade.js'),
  },
  {
    words: ['plugins', 'undo'],
    parameters: '[FLAGS]',
    summary: 'Go back to what was before the last change of plugins',
    load: () => import('./plugins-undo.js'),
  },
  {
    words: ['plugins', 'remove'],
    parameters: 'NAME [FLAGS]',
    summary: 'Take a plugin out of the configuration file, and uninstall its package',
    load: () => import('./plugins-remove.js'),
  },
  {
    words: ['plugins', 'new'],
    parameters: '[NAME] [FLAGS]',
    summary: 'Write a new plugin that works and that can be built upon',
    load: () => import('./plugins-new.js'),
  },
  {
    words: ['plugins', 'dev'],
    parameters: '[DIR] [FLAGS]',
    summary: 'Run a server that starts again whenever a plugin changes',
    load: () => import('./plugins-dev.js'),
  },
  {
    words: ['plugins', 'types'],
    parameters: '[DIR] [FLAGS]',
    summary: "Write the TypeScript types of a plugin's resource types and settings",
    load: () => import('./plugins-types.js'),
  },
  {
    words: ['config', 'check'],
    parameters: '[FLAGS]',
    summary: 'Check whether a server starts with a configuration file',
    load: () => import('./config-check.js'),
  },
  {
    words: ['types'],
    parameters: '--from FILE|URL [FLAGS]',
    summary: 'Write the TypeScript types of custom resources',
    load: () => import('./types.js'),
  },
  {
    words: ['store', 'status'],
    parameters: '[FLAGS]',
    summary: 'Show how far the store has come, and what is missing in it',
    load: () => import('./store-status.js'),
  },
  {
    words: ['store', 'accept-loss'],
    parameters: '[FLAGS]',
    summary: 'Accept that data of the store is lost, so that servers go on',
    load: () => import('./store-accept-loss.js'),
  },
  {
    words: ['envtest', 'path'],
    parameters: '',
    summary: "Write the assets of test suites to the user's folder and print its path",
    load: () => import('./envtest-path.js'),
  },
  {
    words: ['envtest'],
    parameters: '[DIR]',
    summary: 'Write kube-apiserver, etcd and kubectl for test suites (envtest)',
    load: () => import('./envtest.js'),
  },
  {
    words: ['store', 'check'],
    parameters: '[FLAGS]',
    summary: 'Read all records of the store and name those that are damaged',
    load: () => import('./store-check.js'),
  },
  {
    words: ['store', 'drop-record'],
    parameters: '--type TYPE --key KEY [FLAGS]',
    summary: 'Remove one record of the store, whatever it holds',
    load: () => import('./store-drop-record.js'),
  },
  {
    words: ['store', 'backup'],
    parameters: '--file FILE [FLAGS]',
    summary: 'Write all records of the store to a file, as they are at one moment',
    load: () => import('./store-backup.js'),
  },
  {
    words: ['store', 'restore'],
    parameters: '--file FILE [--replace] [FLAGS]',
    summary: 'Fill a store from such a file',
    load: () => import('./store-restore.js'),
  },
  {
    words: ['store', 'export'],
    parameters: '--file FILE [FLAGS]',
    summary: 'Write all records of the store to a file',
    load: () => import('./store-export.js'),
  },
  {
    words: ['store', 'import'],
    parameters: '--file FILE [FLAGS]',
    summary: 'Fill an empty store from a file of "orch store export"',
    load: () => import('./store-import.js'),
  },
  {
    words: ['store', 'compact'],
    parameters: '[FLAGS]',
    summary: 'Drop the history of the store now',
    load: () => import('./store-compact.js'),
  },
  {words: ['version'], parameters: '', summary: 'Print the version', load: () => import('./version.js')},
];
