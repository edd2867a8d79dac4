import type {ElementDeprecation} from '../../sdk/contracts/lifetimes.js';

/** A command-line flag, as data: enough to parse it and to describe it. */
export interface FlagDefinition {
  /** Without the hyphens in front. */
  readonly name: string;
  /** `list`: repeatable, or separated by commas. A boolean also takes `--no-NAME`. */
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'list';
  /** Type of the items of a list; strings by default. */
  readonly items?: 'string' | 'integer' | 'number' | 'boolean';
  /** Stands for the value in help texts. */
  readonly value?: string;
  readonly description: string;
  /** Text of the default, for help. */
  readonly default?: string;
  readonly allowed?: readonly string[];
  /** It still works; using it prints a warning. */
  readonly deprecated?: ElementDeprecation | undefined;
}

/** The flags of the server itself. Those of plugins come from their manifests and may not use these names. */
export const coreFlags: readonly FlagDefinition[] = [
  {name: 'config', type: 'string', value: 'FILE', description: 'Configuration file, YAML or JSON; flags win over it'},
  {
    name: 'data-dir',
    type: 'string',
    value: 'DIR',
    description: "Folder of the server's own files: store, keys, certificates, admin.kubeconfig",
    default: './.orch',
  },
  {name: 'secure-port', type: 'integer', value: 'PORT', description: 'Port of the API; 0 picks a free one', default: '6443'},
  {name: 'bind-address', type: 'string', value: 'ADDRESS', description: 'Address to listen on', default: '127.0.0.1'},
  {
    name: 'platform',
    type: 'string',
    value: 'NAME',
    description: 'Names that clients see: orch, kubernetes, or the profile of the configuration file',
    default: 'orch',
  },
  {
    name: 'store',
    type: 'string',
    value: 'STORE',
    description: 'Where objects are kept: embedded, memory, or a URL such as redis://127.0.0.1:6379/0',
    default: 'embedded',
  },
  {
    name: 'encryption-provider-config',
    type: 'string',
    value: 'FILE',
    description: 'Which resources are encrypted in the store, and with which keys: an EncryptionConfiguration, YAML or JSON',
  },
  {
    name: 'encryption-provider-config-automatic-reload',
    type: 'boolean',
    description: 'Changes of that file take effect while the server runs',
    default: 'false',
  },
  {name: 'plugin', type: 'list', value: 'PATH_OR_PACKAGE', description: 'Adds a plugin: a folder, a plugin.json, or an npm package'},
  {name: 'enable-plugins', type: 'list', value: 'NAMES', description: 'Plugins that take part though they are off by default'},
  {name: 'disable-plugins', type: 'list', value: 'NAMES', description: 'Plugins that do not take part'},
  {
    name: 'enable-admission-plugins',
    type: 'list',
    value: 'NAMES',
    description: 'Admission plugins to turn on besides those that are on by default; the order makes no difference',
  },
  {name: 'disable-admission-plugins', type: 'list', value: 'NAMES', description: 'Admission plugins to turn off'},
  {
    name: 'admission-control-config-file',
    type: 'string',
    value: 'FILE',
    description: 'Configurations of admission plugins: an AdmissionConfiguration, YAML or JSON',
  },
  {
    name: 'admission-control',
    type: 'list',
    value: 'NAMES',
    description: 'The admission plugins that run, and no others',
    deprecated: {
      since: '1.10',
      message: 'Use --enable-admission-plugins or --disable-admission-plugins instead. Will be removed in a future version.',
      audience: 'admin',
      stage: 'stable',
    },
  },
  {
    name: 'controllers',
    type: 'list',
    value: 'NAMES',
    description: 'Controllers to run: * for all that are on by default, NAME turns one on, -NAME turns one off',
    default: '*',
  },
  {name: 'feature-gates', type: 'list', value: 'NAME=BOOL', description: 'Feature gates to turn on (NAME=true) or off (NAME=false)'},
  {
    name: 'runtime-config',
    type: 'list',
    value: 'KEY[=BOOL]',
    description: 'API versions to serve or not: GROUP/VERSION[/RESOURCE]=true or false, api/all, api/ga, api/beta, api/alpha',
  },
  {
    name: 'cors-allowed-origins',
    type: 'list',
    value: 'EXPRESSIONS',
    description: 'Regular expressions of the origins whose web pages may use the server (CORS), as ^https://ui\\.example\\.com$',
  },
  {
    name: 'enable-priority-and-fairness',
    type: 'boolean',
    description: 'Whether requests are put in order by flow schemas and priority levels',
    default: 'true',
  },
  {
    name: 'log-level',
    type: 'string',
    value: 'LEVEL',
    description: 'Least level that is logged',
    default: 'info',
    allowed: ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
  },
  {
    name: 'log-format',
    type: 'string',
    value: 'FORMAT',
    description: 'text, json, or auto: text on a terminal and json elsewhere',
    default: 'auto',
    allowed: ['auto', 'text', 'json'],
  },
];
