export {isJsonObject} from '../../../sdk/values/is-json-object.js';
