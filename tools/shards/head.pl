#!/usr/bin/perl
# memory-shards: users spread over many databases (docs/scale.md). Made of tools/shards/ by make.
use strict;
use warnings;
use Digest::MD5;
use Fcntl ();
use File::Compare;
use File::Copy;
use File::Temp;
use Getopt::Long;
use IPC::Open3 ();
use Time::HiRes;
