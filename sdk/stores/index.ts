/** `@orch-api/orch/sdk/stores`: what stores share: they remember beside themselves how far they had come, and what is under way. */
export {LineageFile, lineagePath} from './lineage-file.js';
export {BufferPieces} from '../values/buffer-pieces.js';
export {TransientMap} from '../values/transient-map.js';
