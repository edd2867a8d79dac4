import {configMaps} from './config-maps.js';

/** The config maps with the most data, each a button that opens it. */
export default async function show(context) {
  const sized = (await configMaps(context)).map(({metadata, data = {}}) => ({metadata, size: JSON.stringify(data).length}));
  sized.sort((left, right) => right.size - left.size);
  const heading = document.createElement('h1');
  heading.textContent = 'Config maps by size';
  const list = document.createElement('ol');
  for (const {metadata, size} of sized) {
    const button = document.createElement('button');
    button.textContent = `${metadata.namespace}/${metadata.name}: ${size} characters`;
    const {namespace, name} = metadata;
    button.addEventListener('click', () => context.open({group: '', version: 'v1', resource: 'configmaps', namespace, name}));
    const item = document.createElement('li');
    item.append(button);
    list.append(item);
  }
  context.root.append(heading, list);
}
