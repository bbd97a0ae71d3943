// The list of the lessons.
import { header } from '../common/header.js';

header('Lessons');
