# What tools/measures and tools/arrows know of C++ and of the rooms, read by patterns: enough for how this
# tree is written, and for counting other trees.
package Sources;
use strict;
use warnings;
use File::Find;

sub files {
	my @found;
	find({ no_chdir => 1, wanted => sub { push @found, $_ if -f && /\.(?:h|cc|c|cpp)$/ } }, 'src');
	return sort @found;
}

sub read_file {
	my ($name) = @_;
	open my $in, '<', $name or die "$name: $!\n";
	local $/;
	return scalar <$in> // '';
}

# The table of docs/design.md: room => { what it may include => 1 }, from rows like
# | `src/facts` | what it is | `pg`, `text/names.h` |
sub table {
	my %allowed;
	for (-f 'docs/design.md' ? split /\n/, read_file('docs/design.md') : ()) {
		next unless /^\|\s*`src\/([\w\/*]+)`\s*\|.*\|([^|]*)\|\s*$/;
		my ($room, $cell) = ($1, $2);
		$allowed{$room} = { map { $_ => 1 } $cell =~ /`([^`]+)`/g };
	}
	return %allowed;
}

# A room is a folder of src/, or what the table names inside of one: a folder, or files like text/*_sql.
my @inner;
sub set_rooms { @inner = map { [ $_, quotemeta($_) =~ s/\\\*/[^\/]*/gr ] } grep { m{/} } @_; }

# src/facts/algebra/line.h and facts/algebra/line.h are of the room facts/algebra.
sub room {
	my ($path) = @_;
	$path =~ s{^src/}{};
	for (@inner) { return $_->[0] if $path =~ m{^$_->[1](?:/|\.\w+$)}; }
	return $path =~ m{^([^/]+)/} ? $1 : '';
}

# The code with comments and the insides of strings blanked, lines kept, and how many lines hold nothing
# but a comment.
sub without_comments {
	my ($text) = @_;
	my $blank = sub { my ($s) = @_; $s =~ tr/\n/ /c; $s };
	my $kept = $text;
	$kept =~ s{
		(//(?:[^\n\\]|\\.)*|/\*.*?\*/)                                    # a comment
		| (R"([^(\s]*)\(.*?\)\g3") | ("(?:[^"\\\n]|\\.)*") | ((?<![0-9A-Fa-f])'(?:[^'\\\n]|\\.)+')
	}{ defined $1 ? $blank->($1) : '"' . $blank->(substr($&, 2)) . '"' }gsex;
	my @before = split /\n/, $text, -1;
	my @after = split /\n/, $kept, -1;
	my $comments = grep { $before[$_] =~ /\S/ && $after[$_] !~ /\S/ } 0 .. $#before;
	return ($kept, $comments);
}

# [first line, number of lines] of each function that has a body, those in classes too; what a function
# has inside (lambdas, local classes) is its own.
sub functions {
	my ($code) = @_;
	$code =~ s/^[ \t]*#(?:[^\n\\]|\\.|\\\n)*/my $s = $&; $s =~ tr{\n}{ }c; $s/gme;
	my ($line, $head, $head_line, @open, @found) = (1, '', 1);
	my $inside = 0;    # of functions
	for my $token ($code =~ /(\n|[{};]|[^\n{};]+)/g) {
		if ($token eq "\n") { $line++; $head .= ' '; }
		elsif ($token eq '{') {
			my $kind = 'block';
			if (!$inside) {
				if ($head =~ /^\s*(?:inline\s+)?namespace\b/ || $head =~ /^\s*extern\s*"[^"]*"\s*$/) { $kind = 'scope'; }
				elsif ($head =~ /\)\s*(?:noexcept\s*)?:\s*(?:[^{}]*,\s*)?[\w:<>]+\s*$/) { $kind = 'member'; }
				elsif ($head =~ /\)[\s\w:<>&*,\->]*$/ && $head !~ /=\s*[\w:]*\([^()]*\)\s*$/ || $head =~ /\)\s*:.*\)\s*$/) { $kind = 'function'; }
				elsif ($head =~ /\b(?:class|struct|union|enum)\b/) { $kind = 'scope'; }
			}
			push @open, [ $kind, $head_line ];
			if ($kind eq 'function') { $inside++; }
			$head = '' if $kind ne 'member';
		}
		elsif ($token eq '}') {
			my $closed = pop @open // [ 'block', $line ];
			if ($closed->[0] eq 'function') {
				$inside--;
				push @found, [ $closed->[1], $line - $closed->[1] + 1 ];
			}
			if ($closed->[0] eq 'member') { $head .= '()'; }
			else { $head = ''; }
		}
		elsif ($token eq ';') { $head = ''; }
		else {
			$head_line = $line if $head !~ /\S/ && $token =~ /\S/;
			$head .= $token;
		}
		if ($head =~ /^\s*(?:public|private|protected)\s*:\s*$/) { $head = ''; }
	}
	return @found;
}

# Macros that are made of strings: in this tree, pieces of statements.
sub sql_macros {
	my ($text) = @_;
	my @bodies = $text =~ /^[ \t]*#[ \t]*define\b((?:[^\n\\]|\\.|\\\n)*)/gm;
	return scalar grep { /"/ && !/\b(?:__attribute__|_Pragma)\b/ } @bodies;
}

# A header of the tree as src/ knows it, from an include of that name in a file; nothing for others.
sub resolved {
	my ($file, $name) = @_;
	return $name if -f "src/$name";
	my $beside = $file =~ s{[^/]*$}{$name}r;
	1 while $beside =~ s{(?:^|(?<=/))(?!\.\./)[^/]+/\.\./}{};
	return -f $beside && $beside =~ m{^src/(.*)} ? $1 : undef;
}

# room => { other room => [ "file:line includes header", … ] }
sub includes {
	my %arrows;
	for my $file (@_) {
		my $from = room($file);
		my $line = 0;
		for (split /\n/, read_file($file)) {
			$line++;
			next unless /^\s*#\s*include\s*"([^"]+)"/;
			my $header = resolved($file, $1) or next;
			my $to = room($header);
			push @{ $arrows{$from}{$to} }, "$file:$line includes $header" if $to ne $from;
		}
	}
	return %arrows;
}

# Each pair of rooms that reach each other, as the shortest way round.
sub cycles {
	my %arrows = @_;
	my %seen;
	my @cycles;
	for my $start (sort keys %arrows) {
		my @ways = map { [ $start, $_ ] } sort keys %{ $arrows{$start} };
		my %reached;
		while (my $way = shift @ways) {
			my $last = $way->[-1];
			if ($last eq $start) {
				my $key = join ' ', sort @$way[ 1 .. $#$way ];
				push @cycles, $way unless $seen{$key}++;
				last;
			}
			next if $reached{$last}++;
			push @ways, map { [ @$way, $_ ] } sort keys %{ $arrows{$last} // {} };
		}
	}
	return @cycles;
}

1;
