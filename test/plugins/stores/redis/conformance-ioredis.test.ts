import test from 'ava';
import {storeConformance} from '../../../conformance/store/store-conformance.js';
import {redisHarness} from './redis-harness.js';

storeConformance(test, 'redis (ioredis)', redisHarness(test, 'ioredis'));
