import test, {type ExecutionContext} from 'ava';
import {execFile} from 'node:child_process';
import {copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {run as pluginTypes} from '../../../core/cli/plugins-types.js';
import type {Terminal} from '../../../core/cli/terminal.js';
import {run as types} from '../../../core/cli/types.js';
import {startTestServer} from '@orch-api/orch/testing';
import {projectRoot} from '../../helpers/project-root.js';
import {tempFolder} from '../../helpers/temp-folder.js';

/** A folder with what the scaffolds have, in which `orch` resolves to this package. */
function project(t: ExecutionContext): {folder: string; terminal: Terminal; printed: () => string} {
  const folder = tempFolder(t);
  mkdirSync(join(folder, 'src'));
  mkdirSync(join(folder, 'node_modules/@orch-api'), {recursive: true});
  symlinkSync(projectRoot(), join(folder, 'node_modules/@orch-api/orch'));
  symlinkSync(join(projectRoot(), 'node_modules/@types'), join(folder, 'node_modules/@types'));
  copyFileSync(join(projectRoot(), 'core/cli/scaffold/templates/common/tsconfig.json.template'), join(folder, 'tsconfig.json'));
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  let text = '';
  const write = (chunk: string) => (text += chunk);
  return {folder, terminal: {out: {write}, err: {write}, cwd: folder}, printed: () => text};
}

/** Compiles as the scaffolds do, with more checks; what must not compile is marked in the source. @returns what the compiler says */
async function compile(folder: string): Promise<string> {
  const tsc = join(projectRoot(), 'node_modules/.bin/tsc');
  const strict = ['--noEmit', '--exactOptionalPropertyTypes', '--isolatedModules', '--erasableSyntaxOnly', '--noUnusedLocals'];
  const done = await promisify(execFile)(process.execPath, [tsc, '-p', folder, ...strict]).catch(
    (error: {stdout: string; stderr: string}) => error,
  );
  return done.stdout + done.stderr;
}

const schemas = {
  group: 'backups.example.com',
  version: 'v1',
  definitions: {
    Backup: {
      type: 'object',
      description: 'A copy of a volume.',
      required: ['spec'],
      properties: {
        spec: {
          type: 'object',
          required: ['volume', 'kind'],
          properties: {
            volume: {type: 'string', description: 'Which one; */ is no end.'},
            kind: {type: 'string', enum: ['full', "it's"]},
            keep: {type: 'integer', nullable: true},
            port: {'x-kubernetes-int-or-string': true},
            steps: {
              type: 'array',
              items: {type: 'object', required: ['run'], properties: {run: {type: 'string'}, 'with-dash': {type: 'boolean'}}},
            },
            labels: {type: 'object', additionalProperties: {type: 'string'}},
            free: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: {known: {type: 'string'}}},
            target: {$ref: '#/definitions/Target'},
            mirror: {$ref: '#/definitions/Target'},
            template: {$ref: 'core/v1#/definitions/PodTemplateSpec'},
          },
        },
        status: {type: 'object', properties: {phase: {type: 'string'}, replicas: {type: 'integer'}}},
      },
    },
    Target: {type: 'object', required: ['url'], properties: {url: {type: 'string'}}},
    OldBackup: {type: 'object', properties: {spec: {type: 'object', properties: {volumeName: {type: 'string'}}}}},
  },
};
const manifest = {
  name: 'backups',
  version: '1.0.0',
  kernel: '*',
  contributes: {
    resources: [
      {
        group: 'backups.example.com',
        names: {plural: 'backups', singular: 'backup', kind: 'Backup'},
        scope: 'Namespaced',
        versions: [
          {
            name: 'v1',
            storage: true,
            schema: 'backups.schema.json#/definitions/Backup',
            subresources: {status: {}, scale: {specReplicasPath: '.spec.keep', statusReplicasPath: '.status.replicas'}},
          },
          {name: 'v1beta1', served: true, schema: 'backups.schema.json#/definitions/OldBackup'},
        ],
      },
    ],
  },
  config: {
    type: 'object',
    required: ['bucket'],
    properties: {
      bucket: {type: 'string', description: 'Where they go'},
      parallel: {type: 'integer', default: 2, description: 'At once'},
      proxy: {type: 'object', description: 'On the way', properties: {host: {type: 'string', description: 'Its name'}}},
    },
  },
};
const use = `import {Client} from '@orch-api/orch/client';
import type {ResourceStrategy} from '@orch-api/orch/sdk';
import type {BackupV1, Settings} from './types.js';
import {types} from './types.js';

export async function good(client: Client, settings: Settings): Promise<string[]> {
  const backups = client.resource(types.backups.v1.Backup, 'default');
  const made = await backups.create({
    metadata: {name: 'a'},
    spec: {volume: 'v', kind: "it's", keep: null, port: 'http', steps: [{run: 'x', 'with-dash': true}], labels: {a: 'b'}, free: {more: 1}, target: {url: 'u'}},
  });
  const scale = await backups.subresource('scale').get('a');
  const status = await backups.subresource('status').get('a');
  const old = await client.resource(types.backups.v1beta1.Backup).list();
  const replicas: number | undefined = scale.spec?.replicas;
  const parallel: number = settings.parallel;
  const image: string | undefined = made.spec.template?.spec?.containers[0]?.image;
  return [made.spec.volume, status.status?.phase ?? '', old.items[0]?.spec?.volumeName ?? '', String(replicas), String(parallel), image ?? ''];
}

export const strategy: ResourceStrategy<BackupV1> = {
  prepareForCreate(backup) {
    backup.status = {phase: 'New'};
  },
};

export async function bad(client: Client, settings: Settings): Promise<void> {
  const backups = client.resource(types.backups.v1.Backup, 'default');
  // @ts-expect-error a kind that the schema does not know
  await backups.create({metadata: {name: 'a'}, spec: {volume: 'v', kind: 'partial'}});
  // @ts-expect-error a misspelled field
  await backups.create({metadata: {name: 'a'}, spec: {volume: 'v', kind: 'full', volme: 'v'}});
  // @ts-expect-error a required field is missing
  await backups.create({metadata: {name: 'a'}, spec: {kind: 'full'}});
  // @ts-expect-error a field of another type
  await backups.create({metadata: {name: 'a'}, spec: {volume: 'v', kind: 'full', steps: [{run: 1}]}});
  // @ts-expect-error a member that the kind has not
  await backups.create({metadata: {name: 'a'}, spec: {volume: 'v', kind: 'full'}, data: {}});
  // @ts-expect-error a field of the other version
  (await client.resource(types.backups.v1beta1.Backup).get('a')).spec?.volume;
  // @ts-expect-error a subresource that it has not
  backups.subresource('log');
  // @ts-expect-error there is no such setting
  settings.paralel;
  // @ts-expect-error settings are read only
  settings.bucket = 'x';
  // @ts-expect-error an optional setting may be missing
  settings.proxy.host;
}
`;

test('plugins types writes what compiles under the options of the scaffolds; a wrong field does not', async (t) => {
  const {folder, terminal, printed} = project(t);
  writeFileSync(join(folder, 'plugin.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'backups.schema.json'), JSON.stringify(schemas));
  t.is(await pluginTypes([], terminal), 0);
  t.is(printed(), 'wrote src/types.ts\n');
  writeFileSync(join(folder, 'src/use.ts'), use);
  t.is(await compile(folder), '');
  // The same again, until a schema changes.
  t.is(await pluginTypes(['.', '--check'], terminal), 0);
  writeFileSync(join(folder, 'plugin.json'), JSON.stringify({...manifest, config: {type: 'object', properties: {}}}));
  await t.throwsAsync(pluginTypes(['--check'], terminal), {message: 'src/types.ts is not what the schemas say: run orch plugins types .'});
});

const definition = {
  apiVersion: 'apiextensions.orch/v1',
  kind: 'CustomResourceDefinition',
  metadata: {name: 'lamps.light.example.com'},
  spec: {
    group: 'light.example.com',
    scope: 'Cluster',
    names: {plural: 'lamps', singular: 'lamp', kind: 'Lamp', listKind: 'LampList'},
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: {status: {}},
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {type: 'object', required: ['watt'], properties: {watt: {type: 'integer', description: 'How strong it is.'}}},
              status: {type: 'object', properties: {on: {type: 'boolean'}}},
            },
          },
        },
      },
    ],
  },
};
const useLamps = `import {Client} from '@orch-api/orch/client';
import {types} from './lamps.js';

export async function light(client: Client): Promise<number> {
  const lamps = client.resource(types.light.v1.Lamp);
  // @ts-expect-error watts are a number
  await lamps.create({metadata: {name: 'a'}, spec: {watt: '40'}});
  return (await lamps.get('desk')).spec?.watt ?? 0;
}
`;

test('types of definitions are the same from a file, a client configuration and the address of a server, and the typed client knows them', async (t) => {
  const {folder, terminal, printed} = project(t);
  await using server = await startTestServer();
  const made = await server.client.post('/apis/apiextensions.orch/v1/customresourcedefinitions', definition);
  t.is(made.status, 201, made.body.toString());
  writeFileSync(join(folder, 'crds.yaml'), `---\nkind: Other\n---\n${JSON.stringify({kind: 'List', items: [definition]})}\n`);
  // As the server answers: the list says what its items are.
  writeFileSync(join(folder, 'list.json'), (await server.client.get('/apis/apiextensions.orch/v1/customresourcedefinitions')).body);
  const from = {
    file: ['crds.yaml'],
    configuration: [server.kubeconfig],
    address: [server.url, '--kubeconfig', server.kubeconfig],
    list: ['list.json'],
  };
  const texts = [];
  for (const [name, [first, ...rest]] of Object.entries(from)) {
    t.is(await types(['--from', first!, ...rest, '--out', `src/${name}.ts`], terminal), 0);
    texts.push(
      readFileSync(join(folder, `src/${name}.ts`), 'utf8')
        .split('\n')
        .slice(1)
        .join('\n'),
    );
  }
  t.is(texts[0], texts[1]);
  t.is(texts[0], texts[2]);
  t.is(texts[0], texts[3]);
  t.regex(printed(), /^wrote src\/file\.ts$/m);
  writeFileSync(join(folder, 'src/lamps.ts'), texts[0]!);
  writeFileSync(join(folder, 'src/use.ts'), useLamps);
  t.is(await compile(folder), '');
});

test('types says in one sentence what is wrong with its source', async (t) => {
  const {folder, terminal} = project(t);
  writeFileSync(join(folder, 'none.yaml'), 'kind: ConfigMap\n');
  writeFileSync(join(folder, 'broken.yaml'), 'a: [\n');
  writeFileSync(join(folder, 'crds.json'), JSON.stringify(definition));
  writeFileSync(join(folder, 'nameless.json'), JSON.stringify({...definition, spec: {}}));
  for (const [args, message] of [
    [[], /^orch types needs --from/],
    [['--from', 'none.yaml'], /^none\.yaml holds no CustomResourceDefinition of apiextensions\/v1$/],
    [['--from', 'broken.yaml'], /^broken\.yaml is neither YAML nor JSON: /],
    [
      ['--from', 'nameless.json'],
      /^the CustomResourceDefinition "lamps\.light\.example\.com" names no valid group, kind, plural or version$/,
    ],
    [['--from', 'crds.json', '--group', 'other.example.com'], /^crds\.json has no types in other\.example\.com$/],
    [['--from', 'https://127.0.0.1:1', '--kubeconfig', 'absent'], /absent/],
  ] as const)
    await t.throwsAsync(async () => types([...args], terminal), {message}, args.join(' '));
});

test('names and references of a definition cannot bring code into the module', async (t) => {
  const {folder, terminal, printed} = project(t);
  const write = (change: object, schema: object = {}, version = 'v1') => {
    const spec = {
      group: 'shop.example.com',
      scope: 'Namespaced',
      names: {kind: 'Order', plural: 'orders'},
      versions: [{name: version, served: true, schema: {openAPIV3Schema: {type: 'object', properties: schema}}}],
      ...change,
    };
    const definition = {apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: {name: 'orders'}, spec};
    writeFileSync(join(folder, 'crd.json'), JSON.stringify(definition));
  };
  const hostile = "x', evil(), '";
  for (const change of [{group: hostile}, {names: {kind: 'Order', plural: hostile}}, {}]) {
    write(change, {}, Object.keys(change).length === 0 ? 'v1: evil(), x' : 'v1');
    await t.throwsAsync(types(['--from', 'crd.json'], terminal), {message: /^the CustomResourceDefinition "orders" names no valid /});
  }
  write(
    {},
    {
      spec: {$ref: "meta/v1#/definitions/ObjectMeta} from 'x'; evil(); import type {Other"},
      "a\n'b": {type: 'string', enum: ["c\r'd"]},
    },
    'v1-beta',
  );
  t.is(await types(['--from', 'crd.json'], terminal), 0);
  t.notRegex(printed(), /evil/);
  writeFileSync(join(folder, 'src/crds.ts'), printed());
  t.is(await compile(folder), '');
});
