#!/usr/bin/env node
import '../dist/isoskin.js';
