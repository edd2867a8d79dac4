import {KERNEL_VERSION} from '../../kernel/kernel-version.js';
import {jsonText, kernelRange, resourceNames} from './names.js';

/** The files of a plugin that brings a resource type: path → text. */
export function resourcePlugin(name: string): Map<string, string> {
  const {plural, singular, kind} = resourceNames(name);
  const group = 'example.com';
  const manifest = {
    name,
    version: '0.1.0',
    description: `The resource type ${plural}.${group}`,
    kernel: kernelRange(KERNEL_VERSION),
    contributes: {
      resources: [
        {
          group,
          names: {plural, singular, kind},
          scope: 'Namespaced',
          versions: [
            {
              name: 'v1',
              schema: `./${singular}.schema.json#/definitions/${kind}`,
              subresources: {status: {}},
              printerColumns: [
                {name: 'Size', type: 'integer', jsonPath: '.spec.size'},
                {name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp'},
              ],
            },
          ],
        },
      ],
    },
  };
  const schema = {
    definitions: {
      [kind]: {
        type: 'object',
        description: `One ${singular}.`,
        properties: {
          spec: {
            type: 'object',
            description: 'What is wanted.',
            required: ['size'],
            properties: {
              size: {type: 'integer', minimum: 1, maximum: 100, description: 'How many.'},
              colour: {type: 'string', enum: ['red', 'green', 'blue'], default: 'green', description: 'In which colour.'},
            },
          },
          status: {
            type: 'object',
            description: 'What is so.',
            properties: {ready: {type: 'integer', description: 'How many there are.'}},
          },
        },
      },
    },
  };
  const sample = [`apiVersion: ${group}/v1`, `kind: ${kind}`, 'metadata:', '  name: first', 'spec:', '  size: 3', ''].join('\n');
  const readme = [
    `# ${name}`,
    '',
    `Adds the resource type \`${plural}.${group}\`. It needs no code: \`plugin.json\` names it, \`${singular}.schema.json\` describes it.`,
    '',
    '```sh',
    'orch plugins check .',
    'orch serve --plugin . --platform kubernetes',
    'kubectl --kubeconfig .orch/admin.kubeconfig apply -f sample.yaml',
    `kubectl --kubeconfig .orch/admin.kubeconfig get ${plural}`,
    '```',
    '',
  ].join('\n');
  return new Map([
    ['plugin.json', jsonText(manifest)],
    [`${singular}.schema.json`, jsonText(schema)],
    ['sample.yaml', sample],
    ['README.md', readme],
  ]);
}
