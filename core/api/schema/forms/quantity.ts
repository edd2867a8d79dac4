export {normalQuantity} from '../../../../sdk/index.js';
