import {defaultReleaseText, newestRelease, oldestRelease} from '../resolve-release.js';
import {tlsVersions} from '../../http/tls/cipher-suites.js';
import {pluginProfiles} from '../plugin-profiles.js';
import type {FlagDefinition} from './flag-definition.js';

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
    name: 'workers',
    type: 'integer',
    value: 'N',
    description: 'Processes that answer requests, 1 to 64; more than one for machines with several cores (SIGHUP replaces them one by one)',
    default: '1',
  },
  {
    name: 'advertise-address',
    type: 'string',
    value: 'ADDRESS',
    description: 'IP address at which other machines reach the server; by default the one that it listens on',
  },
  {
    name: 'platform',
    type: 'string',
    value: 'NAME',
    description: 'Names that clients see: orch, kubernetes, or the profile of the configuration file',
    default: 'orch',
  },
  {
    name: 'release',
    type: 'string',
    value: '1.NN',
    description: `Release of Kubernetes whose types are served: ${oldestRelease} to ${newestRelease}`,
    default: defaultReleaseText,
  },
  {
    name: 'allow-older-release',
    type: 'boolean',
    description: 'Whether a store is served that a server of a newer release has written to: later fields are lost from what is written',
    default: 'false',
  },
  {
    name: 'store',
    type: 'string',
    value: 'STORE',
    description: 'Where objects are kept: embedded, memory, or a URL such as redis://127.0.0.1:6379/0',
    default: 'embedded',
  },
  {
    name: 'client-ca-file',
    type: 'string',
    value: 'FILE',
    description: "CA certificates: whose client certificates are trusted besides those of the server's own CA; read again when it changes",
  },
  {
    name: 'tls-cert-file',
    type: 'string',
    value: 'FILE',
    description: "Certificate of the server instead of its own CA's, followed by those up to its CA; read again when it changes",
  },
  {name: 'tls-private-key-file', type: 'string', value: 'FILE', description: 'Private key that belongs to --tls-cert-file'},
  {
    name: 'cert-dir',
    type: 'string',
    value: 'DIR',
    description: 'Folder of apiserver.crt and apiserver.key, made if missing; not used with --tls-cert-file',
  },
  {
    name: 'tls-sni-cert-key',
    type: 'list',
    whole: true,
    value: 'CERT,KEY[:PATTERNS]',
    description:
      'Certificate and key for clients that ask for a name which the patterns match, by default those in the certificate; repeatable',
  },
  {
    name: 'tls-min-version',
    type: 'string',
    value: 'VERSION',
    description: 'Least version of TLS',
    default: 'VersionTLS12',
    allowed: tlsVersions,
  },
  {
    name: 'tls-cipher-suites',
    type: 'list',
    value: 'NAMES',
    description: 'Cipher suites of TLS 1.2 and before; by default those with forward secrecy and authenticated encryption',
  },
  {
    name: 'disable-http2-serving',
    type: 'boolean',
    description: 'Clients are offered HTTP/1.1 only, and not HTTP/2',
    default: 'true',
  },
  {
    name: 'goaway-chance',
    type: 'number',
    value: 'SHARE',
    description:
      'Part of the requests of HTTP/2 whose connection ends with them, 0 to 0.02: clients spread over servers that share a load balancer',
    default: '0',
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
  {
    name: 'plugin',
    type: 'list',
    value: 'PATH_OR_PACKAGE',
    description: 'Adds a plugin: a folder, a plugin.json, a module, or an npm package',
  },
  {
    name: 'enable-plugins',
    type: 'list',
    value: 'NAMES',
    description: 'Plugins that take part though they are off by default; store-* stands for all with such names',
  },
  {
    name: 'only-plugins',
    type: 'list',
    value: 'NAMES',
    description: 'The plugins of the server that take part, with what they require, and no others; names or patterns',
  },
  {
    name: 'plugin-profile',
    type: 'string',
    value: 'NAME',
    description: `Which plugins of the server take part, with what they require: ${pluginProfiles.map(({name, description}) => `${name} (${description})`).join(', ')}. --only-plugins adds to it`,
    allowed: pluginProfiles.map(({name}) => name),
    default: 'default',
  },
  {
    name: 'disable-plugins',
    type: 'list',
    value: 'NAMES',
    description: 'Plugins that do not take part: names or patterns; a name says more than a pattern',
  },
  {
    name: 'authorization-mode',
    type: 'list',
    value: 'MODES',
    description:
      'Who decides what callers may do, in this order: Node, ABAC, Webhook, RBAC, AlwaysAllow, AlwaysDeny, or modes of further plugins; turns on the plugins of these modes',
    default: 'RBAC',
  },
  {
    name: 'authorization-config',
    type: 'string',
    value: 'FILE',
    description:
      'An AuthorizationConfiguration, YAML or JSON: which authorizers are asked in which order, with the settings of several webhooks; instead of --authorization-mode and --authorization-webhook-*. Read again when it changes',
  },
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
    name: 'audit-policy-file',
    type: 'string',
    value: 'FILE',
    description: 'Which requests are recorded, and how much of them: a Policy of the audit log, YAML or JSON',
  },
  {
    name: 'tracing-config-file',
    type: 'string',
    value: 'FILE',
    description: 'Where traces of requests are sent, and of how many requests: a TracingConfiguration, YAML or JSON',
  },
  {
    name: 'controllers',
    type: 'list',
    value: 'NAMES',
    description:
      'Controllers to run: * for all that are on by default, apiserver for those of them that Kubernetes has in its API server (its controller manager does the rest), NAME turns one on, -NAME turns one off',
    default: '*',
  },
  {
    name: 'cluster',
    type: 'boolean',
    description:
      'Whether the controllers of a whole cluster run, which make pods of Deployments, ReplicaSets and other workloads; --controllers turns single ones on or off',
    default: 'false',
  },
  {
    name: 'enable-console',
    type: 'boolean',
    description:
      'Whether there is a console in the browser, at /console/ (the plugins console and inspection); "orch console" prints a link that signs in',
    default: 'false',
  },
  {
    name: 'leader-elect-lease-duration',
    type: 'string',
    value: 'DURATION',
    description: 'How long the servers of a store leave the controllers to one that no longer renews its lease; whole seconds',
    default: '15s',
  },
  {
    name: 'leader-elect-renew-deadline',
    type: 'string',
    value: 'DURATION',
    description: 'A server that could not renew its lease for so long stops its controllers',
    default: '10s',
  },
  {
    name: 'leader-elect-retry-period',
    type: 'string',
    value: 'DURATION',
    description: 'Time between attempts to take or renew a lease after one that failed',
    default: '2s',
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
    name: 'enable-testing-api',
    type: 'boolean',
    description: 'Whether POST /orch/testing/snapshot and restore exist, which change objects past admission; for test suites only',
    default: 'false',
  },
  {
    name: 'strict-admission',
    type: 'boolean',
    description: 'Whether admission controllers fail that change an object in validate; for the development of plugins',
    default: 'false',
  },
  {
    name: 'strict-plugins',
    type: 'boolean',
    description:
      'Whether calls of plugins fail that return what their contract does not know, or change what they may only read (implies --strict-admission); for the development of plugins',
    default: 'false',
  },
  {
    name: 'log-level',
    type: 'list',
    value: '[COMPONENT=]LEVEL',
    description:
      'Least level that is logged: trace, debug, info, warn, error, silent; of a component (http, storage, a plugin by its name) or of all others',
    default: 'info',
  },
  {name: 'log-requests', type: 'boolean', description: 'Whether every request is logged at info', default: 'false'},
  {
    name: 'slow-request-threshold',
    type: 'string',
    value: 'DURATION',
    description: 'Requests that take longer are logged with the times of their steps; 0s for none',
    default: '1s',
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
