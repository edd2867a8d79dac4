import {KERNEL_VERSION} from '../../kernel/kernel-version.js';
import {jsonText, kernelRange, pascalCase} from './names.js';

/** The files of a plugin that brings an admission controller: path → text. */
export function admissionPlugin(name: string): Map<string, string> {
  const className = pascalCase(name);
  const manifest = {
    name,
    version: '0.1.0',
    description: 'Refuses new ConfigMaps without a certain label',
    kernel: kernelRange(KERNEL_VERSION),
    entry: './index.js',
    contributes: {admission: [{class: className, name: className}]},
    config: {
      type: 'object',
      properties: {
        label: {type: 'string', default: 'owner', description: 'Label that a ConfigMap must have', flag: `${name}-label`},
      },
    },
  };
  // Plain JavaScript, so that it runs without a build: the decorators are called as the functions that they are.
  const code = `import {Tokens, admission, forbidden, inject} from 'orch/sdk';

/**
 * Refuses ConfigMaps that lack a label. The label's name is a setting.
 *
 * @implements {import('orch/sdk').AdmissionController}
 */
export class ${className} {
  #label;

  /** @param {{label: string}} config */
  constructor(config) {
    this.#label = config.label;
  }

  /** @param {import('orch/sdk').AdmissionRequest} request */
  validate(request) {
    if (request.object?.metadata.labels?.[this.#label] !== undefined) return;
    const {group, resource} = request.resource;
    throw forbidden({group, resource, name: request.name}, \`the label \${this.#label} is missing\`);
  }
}

inject(Tokens.Config)(${className}, undefined, 0);
admission({operations: ['CREATE'], resources: ['configmaps'], sideEffects: 'none'})(${className});
`;
  const readme = [
    `# ${name}`,
    '',
    `Adds the admission controller \`${className}\`: new ConfigMaps must have the label \`owner\` (\`--${name}-label\` names another).`,
    '',
    '```sh',
    'orch plugins check .',
    'orch serve --plugin . --platform kubernetes',
    'kubectl --kubeconfig .orch/admin.kubeconfig create configmap plain          # refused',
    `orch serve --plugin . --disable-admission-plugins ${className}   # without it`,
    '```',
    '',
  ].join('\n');
  return new Map([
    ['plugin.json', jsonText(manifest)],
    ['index.js', code],
    ['package.json', jsonText({name, version: '0.1.0', private: true, type: 'module'})],
    ['README.md', readme],
  ]);
}
