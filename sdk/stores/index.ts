/** `orch/sdk/stores`: what stores share: they remember beside themselves how far they had come. */
export {LineageFile, lineagePath} from './lineage-file.js';
