import test from 'ava';
import {storeConformance} from '@orch-api/orch/testing/conformance';
import {declareConformance} from '../../../conformance/declare-conformance.js';
import {redisHarness} from './redis-harness.js';

declareConformance(test, 'redis (ioredis)', storeConformance(redisHarness(test, 'ioredis')));
