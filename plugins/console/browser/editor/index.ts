/** Loaded when an object is first shown: the largest part of the console. */
export {mergeThree} from './three-way.js';
export {diffView, mergeEditor, yamlEditor, type Editor} from './yaml-editor.js';
export {readYaml, yamlText} from './yaml-text.js';
