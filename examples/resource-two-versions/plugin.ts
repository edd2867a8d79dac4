import {definePlugin, defineResource, type ApiObject} from '@orch-api/orch/sdk';

/** v1alpha1 has the size of a plot as one text, `30x20`; v1 has it as two numbers. */
interface OldPlot extends ApiObject {
  spec?: {size?: string; owner?: string};
}
interface Plot extends ApiObject {
  spec?: {width?: number; depth?: number; owner?: string};
}

const group = 'plots.example.com';
const metres = {type: 'integer', minimum: 1, maximum: 10_000};
const objectOf = (required: string[], properties: object) => ({
  type: 'object',
  required: ['spec'],
  properties: {spec: {type: 'object', required, properties: {...properties, owner: {type: 'string'}}}},
});

function toNew({spec: {size, ...spec} = {}, ...plot}: OldPlot): Plot {
  const [width, depth] = size?.split('x').map(Number) ?? [];
  return {...plot, apiVersion: `${group}/v1`, spec: {...spec, ...(size && {width, depth})}};
}

function toOld({spec: {width, depth, ...spec} = {}, ...plot}: Plot): OldPlot {
  return {...plot, apiVersion: `${group}/v1alpha1`, spec: {...spec, ...(width && depth && {size: `${width}x${depth}`})}};
}

/** What converts; the suite in the test holds it to its contract. */
export const strategy = {
  convert: (plot: ApiObject, {version}: {version: string}): ApiObject => (version === 'v1' ? toNew(plot) : toOld(plot)),
};

export default definePlugin({name: 'plots'}, [
  defineResource({
    group,
    names: {plural: 'plots', kind: 'Plot'},
    scope: 'Namespaced',
    strategy: () => strategy,
    versions: [
      {name: 'v1', storage: true, schema: objectOf(['width', 'depth'], {width: metres, depth: metres})},
      {
        name: 'v1alpha1',
        served: true,
        deprecated: true,
        schema: objectOf(['size'], {size: {type: 'string', pattern: '^[1-9]\\d{0,3}x[1-9]\\d{0,3}$'}}),
      },
    ],
  }),
]);
