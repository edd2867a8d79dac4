export {ApprovingController} from './approving-controller.js';
export {CleaningController} from './cleaning-controller.js';
export {SigningController} from './signing-controller.js';
