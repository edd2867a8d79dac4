import {defineController, definePlugin, defineResource, Tokens} from '@orch-api/orch/sdk';
import {backupsController} from './backups.js';

/** The same without a manifest file, classes and decorators. */
export default definePlugin({name: 'backups', folder: import.meta.dirname}, [
  defineResource({
    group: 'backups.example.com',
    names: {plural: 'backups', kind: 'Backup'},
    scope: 'Namespaced',
    versions: [{name: 'v1', schema: 'backups.schema.json#/definitions/Backup', subresources: {status: {}}}],
  }),
  defineController({
    name: 'backups',
    permissions: [
      {verbs: ['create'], apiGroups: [''], resources: ['configmaps']},
      {verbs: ['patch'], apiGroups: ['backups.example.com'], resources: ['backups/status']},
    ],
    create: ({inject, logger}) => backupsController({resources: inject(Tokens.Resources), naming: inject(Tokens.Naming), logger}),
  }),
]);
