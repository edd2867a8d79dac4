import {offerSdk} from '../../core/kernel/loading/offer-sdk.js';

// An example that a test imports must have the same copy as the server that loads it by its path.
offerSdk();
